-- A link worked for whoever held it, though its giver had lost the practice or the person had got a role in another. Who
-- gave it is known from now on, and by whose link a person came in: two whom one admin let in may be one.
-- Nobody knows who gave those that are under way: they end, and are given anew.
DELETE FROM password_link;
ALTER TABLE password_link ADD COLUMN given_by UUID CONSTRAINT password_link_given_by_fkey REFERENCES person (id) ON DELETE RESTRICT;
ALTER TABLE person ADD COLUMN let_in_by UUID CONSTRAINT person_let_in_by_fkey REFERENCES person (id) ON DELETE RESTRICT;
