"""Commands of `verifleet` on data and on Google Cloud, a file each; those of incidents are in local/."""
