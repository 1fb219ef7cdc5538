export { SecretBox, SecretsModule } from './secret-box.js';
