"""What the examples of the guides share: a client of the sandbox, and a request that the payer has not seen."""

import json
import os
import uuid
from datetime import date, timedelta

from prior_authorization import Client

client = Client(os.environ["PA_URL"], os.environ["PA_KEY"])


def day(ahead):
    """The day so many days from today: a payer is not asked about days that are over."""
    return (date.today() + timedelta(days=ahead)).isoformat()


def review(ending=""):
    """The quickstart's request for a new member and for days ahead; the end of the member id chooses the payer's answer."""
    with open("review.json", encoding="utf-8") as file:
        told = json.load(file)
    told["subscriber"]["memberId"] = uuid.uuid4().hex[:8].upper() + ending
    told["fromDate"], told["toDate"] = day(50), day(130)
    return told
