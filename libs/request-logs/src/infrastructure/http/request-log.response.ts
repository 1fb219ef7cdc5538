import { Always, Field, Id, Moment, Shape, Text, TextOrNull } from '#http/openapi';
import { logId } from './example-ids.js';

@Shape('A request without its bodies.')
export class RequestLogSummaryResponse {
  @Id('Id of the log entry.', logId) id!: string;
  @Moment('When the response was sent.') created_at!: string;
  @Text('Path of the request, at most 500 characters.', '/emails') endpoint!: string;
  @Text('HTTP method.', 'POST') method!: string;
  @Field('HTTP status of the response.', { type: 'integer', minimum: 100, maximum: 599 }, 200)
  response_status!: number;
  @TextOrNull('The `User-Agent` of the client, at most 500 characters; null if there was none.', 'resend-node:6.38.0')
  user_agent!: string | null;
}

@Shape('A request with its bodies.')
export class RequestLogResponse extends RequestLogSummaryResponse {
  @Always('log') object!: 'log';
  /** Bounded and without secrets. */
  @Field(
    'The body as JSON, with secrets masked: texts are cut to 1,000 characters, lists to 100 items, all of ' +
      'it to 8,000 characters. Null if there was none.',
    {
      type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
      items: {},
      additionalProperties: true,
    },
    {
      from: 'Acme <hello@acme.example>',
      to: ['ada@customer.example'],
      subject: 'Your order is on its way',
      text: 'It arrives on Friday.',
    },
  )
  request_body!: unknown;
  @Field(
    'The body of the response, cut in the same way. Null if it was not kept.',
    {
      type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
      items: {},
      additionalProperties: true,
    },
    { id: '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31' },
  )
  response_body!: unknown;
}
