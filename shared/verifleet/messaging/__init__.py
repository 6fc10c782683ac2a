"""Publishing envelopes to topics; forwarding over A2A."""
