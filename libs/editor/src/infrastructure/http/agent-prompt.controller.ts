import { Undocumented } from '#http/openapi';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { promptVersion, schemaPrompt } from '../../domain/prompt.js';

/** What programs ask before they write a document. It needs no key: it says nothing about anybody. */
@Controller('api/agent')
@Undocumented()
export class AgentPromptController {
  private readonly prompt = { data: schemaPrompt(), version: promptVersion };

  @Get('prompt')
  read(@Res({ passthrough: true }) reply: FastifyReply): { readonly data: string; readonly version: string } {
    void reply.header('cache-control', 'public, max-age=300');
    return this.prompt;
  }
}
