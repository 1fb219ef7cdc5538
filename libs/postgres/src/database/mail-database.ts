import { Injectable, Provider } from '@nestjs/common';
import { Database } from './database.js';

/** The same pool with a separate share for work on emails, because their tables are large and often locked. */
@Injectable()
export class MailDatabase extends Database {}

/** In the providers of a module, this makes `MailDatabase` the `Database` of that module. */
export const mailShare: Provider = { provide: Database, useExisting: MailDatabase };
