"""Provider batches: many requests submitted together and collected later, at half the price."""
