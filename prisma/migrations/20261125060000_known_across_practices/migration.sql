-- What the endpoint must know beyond the practices a call is about, and no more than that. They run as the owner, for
-- whom the policies do not hold.

-- Whether a task has this id, whoever it belongs to: an id nobody has is refused otherwise than another practice's task.
CREATE FUNCTION task_known(p_task UUID) RETURNS BOOLEAN
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS
    $$ SELECT EXISTS (SELECT FROM task WHERE id = p_task) $$;

-- What a channel's own message with this id came to: the id is the channel's, over all its practices.
CREATE FUNCTION message_known(p_channel UUID, p_message TEXT) RETURNS TABLE (task_id UUID, content_digest TEXT)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS
    $$ SELECT m.task_id, m.content_digest FROM message m WHERE m.channel_id = p_channel AND m.message_id = p_message $$;
