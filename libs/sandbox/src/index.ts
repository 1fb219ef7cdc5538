export { InboxToken } from './infrastructure/http/inbox-token.js';
export { SandboxDataModule, SandboxHttpModule, SandboxModule } from './sandbox.module.js';
export { sandboxSchema } from './infrastructure/persistence/schema.js';
