export * from './byte-budget.js';
export * from './clock.js';
export * from './domain-error.js';
export * from './domain-name.js';
export * from './email-address.js';
export * from './ids.js';
export * from './page.js';
export * from './transaction.js';
