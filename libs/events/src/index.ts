export * from './event-types.js';
export * from './team-events.js';
