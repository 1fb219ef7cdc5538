import { Injectable, Provider } from '@nestjs/common';
import { Database } from './database.js';

/** The same pool, with a share of its own for work on emails: theirs are the tables that are large and often locked. */
@Injectable()
export class MailDatabase extends Database {}

/** Among the providers of a module, this makes its `Database` that share. */
export const mailShare: Provider = { provide: Database, useExisting: MailDatabase };
