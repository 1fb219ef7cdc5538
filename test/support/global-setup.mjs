import './run-typescript.mjs';

// Jest compiles a global setup written in TypeScript to CommonJS, where neither `#...` imports nor ES modules work.
const { startTestServer } = await import('./test-server.ts');

export default startTestServer;
