export { McpHttpModule } from './mcp.module.js';
