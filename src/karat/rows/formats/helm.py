"""HELM: the scenario state of a run; its predictions and instances alone hold one half only."""

from typing import Final

from karat.rows.formats.core import (
    Flat,
    Format,
    Head,
    Source,
    each,
    get_object,
    get_objects,
    join_id,
    list_tags,
    make_row,
)

_MADE: Final = "crfm-helm 0.5.16"


def _read_state(record: Source, head: Head) -> Flat:
    instance, request = get_object(record, "instance"), get_object(record, "request")
    completions = get_objects(get_object(record, "result"), "completions")
    trial, perturbation = record.get("train_trial_index"), get_object(instance, "perturbation")
    row = _read_instance(instance, head)
    return make_row(
        id=join_id(row.get("id"), perturbation.get("name"), f"trial-{trial}" if trial else None),
        question=row.get("question"),
        references=row.get("references"),
        answer=completions[0].get("text") if completions else None,
        system=request.get("model") or get_object(head.document, "adapter_spec").get("model"),
        tags={"split": instance.get("split")} | list_tags(record),
    )


def _read_instance(record: Source, _: Head) -> Flat:
    found = get_objects(record, "references")
    right = [one for one in found if "correct" in (one.get("tags") or [])]
    return make_row(
        id=record.get("id"),
        question=get_object(record, "input").get("text"),
        references=[get_object(one, "output").get("text") for one in right] or None,
        tags={"split": record.get("split")},
    )


def _read_prediction(record: Source, _: Head) -> Flat:
    return make_row(
        id=record.get("instance_id"),
        answer=record.get("predicted_text"),
        tags=list_tags(record, leave=("instance_id",)),
    )


FORMATS: Final = (
    Format(
        "helm", "HELM scenario state", _MADE,
        {"question": "instance.input.text", "reference": "instance.references tagged correct",
         "answer": "result.completions", "id": "instance.id", "system": "request.model"},
        lambda head: head.has("instance", "request"),
        each(_read_state),
        lists=("request_states",),
        lacks="the instances have no reference that is tagged correct",
    ),
    Format(
        "helm-predictions", "HELM predictions", _MADE,
        {"answer": "predicted_text", "id": "instance_id"},
        lambda head: head.has("instance_id", "predicted_text"),
        each(_read_prediction),
        lacks="the references stand in instances.json: --references instances.json --on id",
    ),
    Format(
        "helm-instances", "HELM instances", _MADE,
        {"question": "input.text", "reference": "references tagged correct", "id": "id"},
        lambda head: head.has("id", "input.text", "references", "split"),
        each(_read_instance),
        lacks="the answers stand in display_predictions.json: grade it with --references instances.json --on id",
    ),
)  # fmt: skip
