import pg from "pg";
import { forgetPractices } from "#test/support/database/forget-practices";

// Loaded before a server of the tests begins.
forgetPractices(pg.Client.prototype);
