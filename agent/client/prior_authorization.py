"""Client of the prior authorization service: send, wait, amend, void. One file, standard library only, Python 3.9+.

    client = Client(os.environ["PA_URL"], os.environ["PA_KEY"])
    task = client.wait(client.send("sandbox", service_review))
    print(task["state"], task.get("determination", {}).get("outcome"))
"""

import base64
import http.client
import json
import random
import time
import urllib.error
import urllib.request
import uuid

# Longest that the service holds one answer back here; a proxy may end what is silent for a minute.
WAIT_SECONDS = 45
TRIES_MAX = 8
# There is too much to do just now, or the service failed.
MAY_PASS_LATER = (-32000, -32603)
# The body came too slowly, as on a network that changed: nothing is wrong with what was sent.
TOO_SLOW = 408


class CallError(Exception):
    """What the service refused: `code`, and `data` with `issues`, `state` or `requestId`."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data", {})


class Client:
    """A client of one channel. Every call that may pass when it is tried again, is: with the same message id."""

    def __init__(self, url, key):
        self._address = url.rstrip("/") + "/api/a2a"
        self._key = key

    def send(
        self,
        practice_id,
        service_review,
        note=None,
        files=(),
        message_id=None,
        task_id=None,
        renews=None,
        webhook=None,
    ):
        """Opens a task. `files` are pairs of a name and bytes. Keep `message_id` with your own record of the request.

        `renews` is the id of the task whose authorization is renewed or extended. `webhook` is a dict with `url`.
        """
        data = {"skill": "prior_auth_intake", "practiceId": practice_id, "serviceReview": service_review}
        parts = [{"kind": "data", "data": data}]
        if note is not None:
            parts.append({"kind": "text", "text": note})
        for name, content in files:
            parts.append({"kind": "file", "file": {"name": name, "bytes": base64.b64encode(content).decode()}})
        message = {"role": "user", "messageId": message_id or str(uuid.uuid4()), "parts": parts}
        if task_id is not None:
            message["taskId"] = task_id
        if renews is not None:
            message["referenceTaskIds"] = [renews]
        configuration = {} if webhook is None else {"pushNotificationConfig": webhook}
        return self._call("message/send", {"message": message, "configuration": configuration})

    def amend(self, task, service_review, **more):
        """Replaces the service review of a task by a new revision; files stay, and new ones are added."""
        return self.send(task["practiceId"], service_review, task_id=task["id"], **more)

    def void(self, task, reason, message_id=None):
        """Asks to reverse what the payer has. A reviewer releases it."""
        data = {"skill": "prior_auth_void", "practiceId": task["practiceId"], "taskId": task["id"], "reason": reason}
        message = {"role": "user", "messageId": message_id or str(uuid.uuid4()), "parts": [{"kind": "data", "data": data}]}
        return self._call("message/send", {"message": message})

    def cancel(self, task):
        """Withdraws what the payer does not have."""
        return self._call("tasks/cancel", {"id": task["id"]})

    def get(self, task_id):
        """The task as it stands."""
        return self._call("tasks/get", {"id": task_id})

    def wait(self, task, on_change=None, once=False):
        """Waits until the task has ended or it is the agent's turn, or for the next change alone. A person may take days."""
        while task["status"]["state"] == "working" and task["nextAction"]["by"] != "agent":
            waiting = {"unlessVersion": task["version"], "waitSeconds": WAIT_SECONDS}
            told = self._call("tasks/get", {"id": task["id"], "metadata": waiting})
            if told.get("unchanged"):
                continue
            if on_change is not None:
                on_change(told, task)
            task = told
            if once:
                break
        return task

    def _call(self, method, params):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        for tries in range(1, TRIES_MAX + 1):
            pause = min(0.5 * 2 ** (tries - 1), 10) * (0.5 + random.random() / 2)
            try:
                reply, status, retry_after = self._post(body)
            except (OSError, ValueError, http.client.HTTPException):
                # No answer, or one that was cut off.
                if tries == TRIES_MAX:
                    raise
            else:
                if "result" in reply:
                    return reply["result"]
                may_pass = status == TOO_SLOW or reply["error"]["code"] in MAY_PASS_LATER
                if not may_pass or tries == TRIES_MAX:
                    raise CallError(reply["error"])
                pause = pause if retry_after is None else retry_after
            time.sleep(pause)

    def _post(self, body):
        headers = {"Authorization": "Bearer " + self._key, "Content-Type": "application/json"}
        request = urllib.request.Request(self._address, body, headers)
        try:
            response = urllib.request.urlopen(request, timeout=WAIT_SECONDS + 30)
        except urllib.error.HTTPError as answered:
            # A refusal may come with another status than 200; its body says which it is.
            response = answered
        with response:
            after = response.headers.get("Retry-After", "")
            return json.load(response), response.status, float(after) if after.isdigit() else None
