import { AccountsModule } from '#accounts';
import { IdentityModule } from '#identity';
import { DynamicModule, Module } from '@nestjs/common';
import { InnerRequests } from './infrastructure/http/inner-requests.js';
import { McpEndpoint } from './infrastructure/http/mcp-endpoint.js';
import { McpVersion, ToolServer } from './infrastructure/http/tool-server.js';

/** Gives agents the API as tools, at `/mcp`. It owns no tables, and asks only the API. */
@Module({})
export class McpHttpModule {
  /** @param version of the program */
  static forRoot(version: string): DynamicModule {
    return {
      module: McpHttpModule,
      imports: [AccountsModule, IdentityModule],
      providers: [{ provide: McpVersion, useValue: new McpVersion(version) }, InnerRequests, ToolServer, McpEndpoint],
    };
  }
}
