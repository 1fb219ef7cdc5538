import { expect, it } from '@jest/globals';
import { ContactAction, ContactActivity } from '#audience';
import { Transaction } from '#kernel';
import { RecipientsOfEvents } from './ports/recipients-of-events.port.js';
import { RecordActivity } from './record-activity.use-case.js';

class NoTransaction extends Transaction {}

const sent: ContactAction = { teamId: 't', email: 'a@b.test', activity: 'sent', at: new Date(5) };
const span = { position: '2', after: '1', firstEmailId: 'e', lastEmailId: 'e' };

class KnownRecipients extends RecipientsOfEvents {
  reads = 0;

  async actions(): Promise<readonly ContactAction[]> {
    this.reads += 1;
    return [sent];
  }
}

class RecordedActivity extends ContactActivity {
  readonly recorded: ContactAction[] = [];

  constructor(private readonly hasContacts: boolean) {
    super();
  }

  async isNeeded(): Promise<boolean> {
    return this.hasContacts;
  }

  async record(actions: readonly ContactAction[]): Promise<void> {
    this.recorded.push(...actions);
  }
}

it('records what the recipients of the events did', async () => {
  const activity = new RecordedActivity(true);
  await new RecordActivity(new KnownRecipients(), activity).record(span, new NoTransaction());
  expect(activity.recorded).toEqual([sent]);
});

it('reads nothing where there are no contacts', async () => {
  const recipients = new KnownRecipients();
  const activity = new RecordedActivity(false);
  await new RecordActivity(recipients, activity).record(span, new NoTransaction());
  expect([recipients.reads, activity.recorded]).toEqual([0, []]);
});
