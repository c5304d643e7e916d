"""Generated pools: instances whose labels hold by construction, made from nothing but a seed."""
