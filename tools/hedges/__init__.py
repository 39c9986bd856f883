"""Makes the estimator of hedges that ships."""
