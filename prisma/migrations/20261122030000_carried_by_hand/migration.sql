-- How, by whom and to whom an action was carried that no wire carries.
ALTER TABLE transmission
    ADD COLUMN delivery TEXT CHECK (delivery IN ('portal', 'phone', 'fax')),
    ADD COLUMN sent_by UUID,
    ADD COLUMN sent_to BYTEA,
    ADD CONSTRAINT transmission_delivery CHECK ((delivery IS NULL) = (sent_by IS NULL));
