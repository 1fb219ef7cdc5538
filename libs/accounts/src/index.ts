export { AccountsHttpModule, AccountsModule } from './accounts.module.js';
export { accountsSchema } from './infrastructure/persistence/schema.js';
