import { Cells } from '#cells';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ReceivingDomains, ReportedDomains, SendingDomains } from '#domains';
import { InboxAddresses } from '#inboxes';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { InMemoryRoutes } from '../../../../test/support/fakes/in-memory-routes.js';
import { parsePattern } from '../domain/address-pattern.js';
import { holdingAmong } from '../domain/header-condition.js';
import { parseAction, parseConditions, RequestedAction, RequestedCondition } from '../domain/new-route.js';
import { explanationResponse } from '../infrastructure/http/route.response.js';
import { ForwardingDomains } from './forwarding-domains.js';
import { ExplainRoute } from './explain-route.query.js';
import { RoutedMessages } from './ports/routed-messages.port.js';

let rig: InMemoryDomains;
let routes: InMemoryRoutes;
let explain: ExplainRoute;

beforeEach(async () => {
  rig = new InMemoryDomains();
  routes = new InMemoryRoutes();
  explain = new ExplainRoute(
    routes,
    { holding: async (_, conditions, header) => holdingAmong(conditions, header) } as RoutedMessages,
    new ReceivingDomains(rig.domains, Cells.none),
    new ReportedDomains(rig.domains, rig.records),
    new ForwardingDomains(new SendingDomains(rig.domains, { allowsSandboxDomains: true }, Cells.none)),
    { has: async (_: string, address: string) => address === 'box@acme.test' } as unknown as InboxAddresses,
  );
  await rig.createVerified({ receiving: true });
  await rig.createVerified({ name: 'eu.acme.test', receiving: true });
  await rig.create({ name: 'new.test', receiving: true });
  await rig.create({ name: 'sends.acme.test' });
  await rig.create({ name: 'other.test', receiving: true }, newId());
});

interface Given {
  readonly recipient: string;
  readonly action: RequestedAction;
  readonly conditions?: readonly RequestedCondition[];
  readonly goesOn?: boolean;
  readonly enabled?: boolean;
}

const forward = { type: 'forward', to: ['ada@home.test'] };
const invoice = [{ header: 'Subject', value: 'invoice' }];

async function explained(given: readonly Given[], address: string, subject = 'Invoice 7') {
  for (const { recipient, action, conditions = [], goesOn = false, enabled = true } of given) {
    const now = rig.clock.now();
    const route = {
      id: newId(),
      teamId: rig.teamId,
      position: 999,
      name: recipient,
      goesOn,
      enabled,
      createdAt: now,
      updatedAt: now,
      recipient: parsePattern(recipient),
      action: parseAction(action),
      conditions: parseConditions(conditions),
      actor: { kind: 'service' } as const,
    };
    await routes.add(route, 200);
  }
  const explanation = await explain.explain(rig.teamId, address, [{ name: 'subject', value: subject }]);
  return explanationResponse(explanation);
}

async function outcome(given: readonly Given[], address: string): Promise<string> {
  const { outcome: kind, actions, steps, reply } = await explained(given, address);
  const looked = steps.map(({ name, result }) => `${name} ${result}`);
  return [kind, reply ?? actions.map(({ type }) => type).join('+'), ...looked].join(' | ');
}

describe('the explanation', () => {
  it.each<[string, readonly Given[], string, string]>([
    ['of no route', [], 'a@acme.test', 'accepted | webhook'],
    [
      'of an exact address',
      [{ recipient: 'a@acme.test', action: forward }],
      'A@acme.test',
      'accepted | forward | a@acme.test matched',
    ],
    [
      'of another address',
      [{ recipient: 'a@acme.test', action: forward }],
      'b@acme.test',
      'accepted | webhook | a@acme.test other_recipient',
    ],
    [
      'of a tag',
      [{ recipient: 'a+*@acme.test', action: forward }],
      'a+x@acme.test',
      'accepted | forward | a+*@acme.test matched',
    ],
    [
      'of a subdomain',
      [{ recipient: '*@*.acme.test', action: { type: 'drop' } }],
      'a@eu.acme.test',
      'dropped |  | *@*.acme.test matched',
    ],
    [
      'of a refusal',
      [{ recipient: '*@acme.test', action: { type: 'reject', text: 'Closed' } }],
      'a@acme.test',
      'rejected | 550 5.1.1 Closed | *@acme.test matched',
    ],
    [
      'of a refusal of an address with an inbox',
      [{ recipient: '*@acme.test', action: { type: 'reject', text: 'Closed' } }],
      'box@acme.test',
      'accepted |  | *@acme.test matched',
    ],
    [
      'of a refusal that comes too late',
      [
        { recipient: '*@acme.test', action: forward, conditions: [{ header: 'subject', value: 'offer' }] },
        { recipient: '*@acme.test', action: { type: 'reject' } },
      ],
      'a@acme.test',
      'dropped |  | *@acme.test header_differs | *@acme.test matched',
    ],
    [
      'of a condition and of one that goes on',
      [
        { recipient: '*@acme.test', action: forward, conditions: invoice, goesOn: true },
        { recipient: 'a@acme.test', action: { type: 'lmtp', host: 'mail.acme.test' } },
        { recipient: '*@acme.test', action: { type: 'drop' } },
      ],
      'a@acme.test',
      'accepted | forward+lmtp | *@acme.test matched | a@acme.test matched',
    ],
    [
      'of one that is off',
      [{ recipient: '*@acme.test', action: { type: 'drop' }, enabled: false }],
      'a@acme.test',
      'accepted | webhook | *@acme.test disabled',
    ],
    ['of an address for reports', [], 'dmarc-reports@send.acme.test', 'report | '],
    [
      'of an address that names another server',
      [],
      'a%b.test@acme.test',
      'rejected | 550 5.7.1 No mail is taken for addresses with % or !, which name another server',
    ],
    [
      'of a domain that is not verified',
      [{ recipient: '*@new.test', action: { type: 'drop' } }],
      'a@new.test',
      'rejected | 451 4.7.1 new.test is not verified yet, try again later | *@new.test matched',
    ],
    ['of a domain of another team', [], 'a@other.test', 'not_ours | '],
    ['of a domain that does not receive', [], 'a@sends.acme.test', 'not_ours | '],
    ['of a domain of nobody', [], 'a@nobody.test', 'not_ours | '],
  ])('%s', async (_, given, address, expected) => {
    expect(await outcome(given, address)).toBe(expected);
  });
});

it('says why mail is not forwarded now', async () => {
  const problems = async (recipient: string) => {
    const { actions } = await explained([{ recipient, action: forward, goesOn: true }], recipient);
    return actions.map(({ problem }) => problem);
  };
  await rig.createVerified({ name: 'receives.test', receiving: true, sending: false });
  await rig.createVerified({ name: 'ready.test', receiving: true });
  expect(await problems('a@ready.test')).toEqual([null]);
  expect(await problems('a@receives.test')).toEqual([expect.stringContaining('only receives mail')]);
});
