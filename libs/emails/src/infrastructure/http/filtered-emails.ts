import { ApiQuery, nextOfPage, ResponsesList } from '#platform/openapi';
import { applyDecorators } from '@nestjs/common';
import { lastEvents } from '../../domain/email-filter.js';
import { EmailSummaryResponse } from './responses.js';

const text = (name: string): MethodDecorator => ApiQuery({ name, required: false, schema: { type: 'string' } });
const list = (name: string, items: object): MethodDecorator =>
  ApiQuery({ name, required: false, style: 'form', explode: false, schema: { type: 'array', items } });

/** A page of emails, with the filters that Postrider adds to the contract. */
export const FilteredEmails = (): MethodDecorator =>
  applyDecorators(
    ResponsesList(EmailSummaryResponse, nextOfPage),
    text('q'),
    text('recipient'),
    text('subject'),
    list('status', { type: 'string', enum: [...lastEvents] }),
    list('domain_id', { type: 'string', format: 'uuid' }),
    list('api_key_id', { type: 'string', format: 'uuid' }),
    ApiQuery({ name: 'broadcast_id', required: false, schema: { type: 'string', format: 'uuid' } }),
    text('tag'),
    text('created_after'),
    text('created_before'),
  );
