import pg from "pg";
import { forgetPractices } from "../../test/forget-practices.ts";

// Loaded before a server of the tests begins.
forgetPractices(pg.Client.prototype);
