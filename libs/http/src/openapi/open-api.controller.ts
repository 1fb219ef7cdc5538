import { Controller, Get, Header } from '@nestjs/common';
import { ApiDocument } from './api-document.js';
import { docsPage } from './docs-page.js';
import type { Schema } from './fields.js';
import { Undocumented } from './operations.js';

@Controller()
@Undocumented()
export class OpenApiController {
  constructor(private readonly api: ApiDocument) {}

  @Get('openapi.json')
  document(): Schema {
    return this.api.document();
  }

  /** For a program that was built without the dashboard, and for browsers without scripts. */
  @Get('docs/plain')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  page(): string {
    return docsPage(this.api.document());
  }
}
