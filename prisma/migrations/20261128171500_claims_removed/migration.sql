-- No program has read or written it since November 25, 2026, when assignees took its place.
-- squawk-ignore ban-drop-table
DROP TABLE claim;
