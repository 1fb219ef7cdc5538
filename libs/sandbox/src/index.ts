export { InboxToken } from './infrastructure/http/inbox-token.js';
export { SandboxHttpModule, SandboxModule } from './sandbox.module.js';
export { sandboxSchema } from './infrastructure/persistence/schema.js';
