COMMENT ON TABLE worker_heartbeat IS 'When each worker last reported. A row goes a day after its last report, once another worker reports.';
