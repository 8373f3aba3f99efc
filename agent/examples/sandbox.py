"""What the examples of the guides share: a client of the sandbox, and a request that the payer has not seen."""

import json
import os
import uuid

from prior_authorization import Client

client = Client(os.environ["PA_URL"], os.environ["PA_KEY"])


def review(ending=""):
    """The quickstart's request for a new member; the end of the member id chooses the payer's answer."""
    with open("review.json", encoding="utf-8") as file:
        told = json.load(file)
    told["subscriber"]["memberId"] = uuid.uuid4().hex[:8].upper() + ending
    return told
