import { explained, parseRule } from '#kernel';
import { parseAutomationName } from '../../libs/automations/src/domain/automation.js';
import { parseDays, parseDuration } from '../../libs/automations/src/domain/duration.js';
import {
  checkedPayload,
  checkEventCount,
  parseDefinedName,
  parseEventName,
  parseEventSchema,
} from '../../libs/automations/src/domain/event-definition.js';
import { parseTimeOfDay, parseTimeZone } from '../../libs/automations/src/domain/local-time.js';
import { fieldsOf } from '../../libs/automations/src/domain/run-fields.js';
import { parseSettings } from '../../libs/automations/src/domain/settings.js';
import { parseStep } from '../../libs/automations/src/domain/step.js';
import { nextDate, parseTrigger } from '../../libs/automations/src/domain/trigger.js';
import {
  decodeAutomationChanges,
  decodeNewAutomation,
  decodeRunFilter,
  decodeRunStatuses,
  decodeStatusFilter,
} from '../../libs/automations/src/infrastructure/http/automation.request.js';
import { decodeTrial } from '../../libs/automations/src/infrastructure/http/trial.request.js';
import {
  decodeNewEvent,
  decodeSchemaChange,
  decodeSentEvent,
  decodeSentEvents,
} from '../../libs/automations/src/infrastructure/http/event.request.js';
import { parseBody, plainJson } from '../../libs/http/src/server/body/parse-body.js';
import { bytesOf, each, RemoteParser } from './remote-parser.js';

const graph = {
  name: 'Welcome',
  steps: [
    { key: 'start', type: 'trigger', config: { event_name: 'user.created' } },
    { key: 'wait', type: 'wait_for_event', config: { event_name: 'paid', timeout: '1h 30m' } },
    { key: 'name', type: 'contact_update', config: { first_name: { var: 'event.name' } } },
  ],
  connections: [
    { from: 'start', to: 'wait' },
    { from: 'wait', to: 'name', type: 'timeout' },
  ],
};

export const automationParsers: readonly RemoteParser[] = [
  {
    name: 'texts of automations',
    covers: [
      ...[
        'parseAutomationName',
        'parseDefinedName',
        'parseDuration',
        'parseEventName',
        'parseEventSchema',
        'parseRule',
        'parseStep',
      ],
      ...['parseDays', 'parseSettings', 'parseTimeOfDay', 'parseTimeZone', 'parseTrigger'],
      ...[
        'decodeNewEvent',
        'decodeRunFilter',
        'decodeRunStatuses',
        'decodeSchemaChange',
        'decodeSentEvent',
        'decodeSentEvents',
        'checkEventCount',
        'decodeStatusFilter',
      ],
    ],
    pieces: ['1', 'h', ' ', ',', '.', 'event.', 'wait_events.', 'running,', '\0', 'é'],
    examples: [
      '1h 30m',
      '30 days',
      '-3 days',
      '09:00',
      'Europe/Berlin',
      'order.paid',
      'event.order.total',
      'running,failed',
      '2026-11-30',
    ],
    parse: (text) =>
      each(
        () => parseAutomationName(text),
        () => parseDuration('It', text),
        () => parseEventName('name', text),
        () => parseDefinedName('name', text),
        () => parseEventSchema({ [text]: text }),
        () => checkedPayload({ n: text, d: text, b: text }, { n: 'number', d: 'date', b: 'boolean' }),
        () => parseRule('It', { type: 'rule', field: text, operator: 'eq', value: text }, ['event.']),
        () =>
          fieldsOf({ payload: { [text]: { [text]: 1 } }, waitEvents: { [text]: {} }, webhooks: {} }, undefined)(text),
        () => explained({ type: 'rule', field: text, operator: 'contains', value: text }, () => text),
        () => parseDays('It', text, 9),
        () => parseSettings({ entry: text, entry_after: text, time_zone: text }),
        () => parseTimeOfDay('It', text),
        () => parseTimeZone('It', text),
        () => parseTrigger({ event_name: text, filter_rule: text, link: text, property: text, offset: text }),
        () => nextDate({ property: 'a', offsetDays: 0, time: '09:00', everyYear: true }, text, 'UTC', new Date(0)),
        () => parseStep({ key: text, type: 'webhook', config: { url: text, body: { [text]: text } } }),
        () =>
          parseStep({ key: text, type: 'send_email', config: { template: { id: text }, from: text, subject: text } }),
        () => parseStep({ key: text, type: 'add_to_segment', config: { segment_id: text } }),
        () => parseStep({ key: text, type: 'contact_update', config: { first_name: { var: text } } }),
        () => decodeNewEvent({ name: text, schema: { a: text } }),
        () => decodeSchemaChange({ schema: text }),
        () => decodeSentEvent({ event: text, email: text, payload: text }),
        () => decodeSentEvents([{ event: text, email: text, payload: text }, text]),
        () => checkEventCount(text.length),
        () => decodeRunStatuses(text),
        () => decodeRunFilter({ step_key: text, step_status: text, contact_id: text }),
        () => decodeStatusFilter(text),
      ),
  },
  {
    name: 'automation',
    covers: ['decodeNewAutomation', 'decodeAutomationChanges', 'decodeTrial'],
    pieces: ['{', '}', '[', ']', '"', ':', ',', '{"key":"a","type":"delay"}', '{"from":"a","to":"a"}', '"steps":['],
    examples: [JSON.stringify(graph), JSON.stringify({ name: 'A', steps: graph.steps, connections: [] })],
    parse: (text) => {
      const body = parseBody(bytesOf(text), plainJson);
      each(
        () => decodeNewAutomation(body),
        () => decodeAutomationChanges(body),
        () => decodeTrial(body),
      );
    },
  },
];
