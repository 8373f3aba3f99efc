-- What a case is no longer found by follows from its earlier revisions, and is looked for by its token.

-- Workers of the release before look for the tokens of a case by the case. Without this they read all of its practice's, which is
-- slower and finds the same.
DROP INDEX CONCURRENTLY case_token_task_id_idx;
