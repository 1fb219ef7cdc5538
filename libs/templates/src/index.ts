export { PublishedTemplates } from './application/ports/template-repository.port.js';
export { ReadTemplates } from './application/read-templates.query.js';
export { WriteTemplates } from './application/write-templates.use-case.js';
export { publishedTemplate, templateValues } from './domain/published-template.js';
export type { PublishedTemplate } from './domain/published-template.js';
export { MissingVariablesError, TemplateNotPublishedError } from './domain/template-errors.js';
export { checkedValue, maxVariables } from './domain/template-variable.js';
export { templatesSchema } from './infrastructure/persistence/schema.js';
export { TemplatesHttpModule, TemplatesModule } from './templates.module.js';
