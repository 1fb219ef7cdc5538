import { Controller, Get } from '@nestjs/common';
import { ApiDocument } from './api-document.js';
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
}
