export { oauthSchema } from './infrastructure/persistence/schema.js';
export { OAuthHttpModule, OAuthWorkerModule } from './oauth.module.js';
