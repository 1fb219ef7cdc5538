import { contactMergeValues, ContactValues, maxMergeContacts } from '#audience';
import type { MergeFields } from '#audience';
import { found, MergeTemplate, MergeValues, parseMailbox, timeOfId, ValidationError } from '#kernel';
import { PublishedTemplate, PublishedTemplates, TemplateNotPublishedError, templateValues } from '#templates';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../domain/accepted-email.js';
import {
  Draft,
  maxEmailBytes,
  maxSubjectLength,
  parseDraft,
  requireRecipient,
  SendRequest,
  TemplateReference,
} from '../domain/draft.js';
import { EmailTooLargeError } from '../domain/email-errors.js';
import { maxSharedBodyBytes, PersonalBody, personalSubject, SharedContent } from '../domain/shared-content.js';
import { longestUnsubscribeValues } from '../domain/unsubscribe-tags.js';
import { SharedContents } from './shared-contents.js';

/** A draft whose bodies are those of a template. */
export interface TemplatedDraft extends Draft {
  readonly templateId: string;
  readonly content: SharedContent;
  readonly values: MergeValues;
}

/** A version in the form in which emails are made of it. */
interface Compiled {
  readonly content: SharedContent;
  readonly subject: MergeTemplate | null;
  readonly body: PersonalBody;
}

/**
 * Expands the template of a request: finds the version that is published now, checks the values, and fills in what the
 * request lacks. The email shares the content of the version, which is stored once a day, and has its own values. So it
 * keeps the version with which it was accepted.
 */
@Injectable()
export class ExpandTemplate {
  /** A version is compiled once for as long as it is cached. */
  private readonly compiled = new WeakMap<PublishedTemplate, Compiled>();
  private readonly recipients: RecipientValues;

  constructor(
    private readonly templates: PublishedTemplates,
    private readonly contents: SharedContents,
    contacts: ContactValues,
  ) {
    this.recipients = new RecipientValues(contacts);
  }

  /** @param contact whose values it has instead of those of the contact to whom it is addressed */
  async draft(
    teamId: string,
    request: SendRequest,
    reference: TemplateReference,
    now: Date,
    contact?: MergeFields,
  ): Promise<TemplatedDraft> {
    if (request.html !== undefined || (request.text !== undefined && request.text !== '')) {
      throw new ValidationError('The `template` field cannot be used together with `html` or `text`.');
    }
    requireRecipient(request.to);
    const template = found('Template', await this.templates.find(teamId, reference.id));
    if (template === 'draft') throw new TemplateNotPublishedError();
    const given = templateValues(template, reference.variables);
    const { contactNames } = template;
    const ofContact =
      contact === undefined
        ? await this.ofContact(teamId, request.to, contactNames)
        : contactMergeValues(contact, contactNames);
    const values = { ...ofContact, ...given };
    const { content, subject, body } = this.compiledOf(template);
    const bodyBytes = body.renderedBytes({ ...values, ...longestUnsubscribeValues });
    const draft = parseDraft(
      {
        ...request,
        from: request.from ?? template.from ?? undefined,
        replyTo: request.replyTo ?? template.replyTo ?? undefined,
        subject: request.subject ?? (subject === null ? undefined : personalSubject(subject, values, maxSubjectLength)),
        html: '',
        text: undefined,
      },
      now,
    );
    const size = draft.size + bodyBytes;
    if (bodyBytes > maxSharedBodyBytes || size > maxEmailBytes) throw new EmailTooLargeError();
    return { ...draft, templateId: template.id, content, values, size };
  }

  /** Stores the content for the day of the email. */
  async withContent(accepted: AcceptedEmail, draft: TemplatedDraft): Promise<AcceptedEmail> {
    const { email } = accepted;
    const { templateId, content, values } = draft;
    const { id } = await this.contents.store(email.teamId, content, timeOfId(email.id));
    const templated = { ...email, templateId, contentId: id, mergeValues: values };
    return { ...accepted, email: templated, body: { html: null, text: null } };
  }

  /**
   * Values of the contact to whom the email is addressed. An email to several addresses has one body for all of them,
   * so it has the values of none.
   */
  private async ofContact(
    teamId: string,
    to: string | readonly string[],
    names: ReadonlySet<string>,
  ): Promise<MergeValues> {
    if (names.size === 0) return {};
    const [only, ...others] = typeof to === 'string' ? [to] : to;
    const address = only === undefined || others.length > 0 ? undefined : parseMailbox(only)?.address;
    return address === undefined ? {} : this.recipients.of(teamId, address, names);
  }

  private compiledOf(template: PublishedTemplate): Compiled {
    const known = this.compiled.get(template);
    if (known !== undefined) return known;
    const { html, text, subject } = template;
    const compiled = {
      content: { html, text: text ?? undefined },
      subject: subject === null ? null : new MergeTemplate(subject, 'line'),
      body: new PersonalBody({ html, text }),
    };
    this.compiled.set(template, compiled);
    return compiled;
  }
}

/** The addresses of one team, with the read of all of them. */
interface Gathering {
  readonly addresses: Set<string>;
  readonly fields: Promise<ReadonlyMap<string, MergeFields>>;
}

/**
 * Finds the values of a recipient's contact. The emails of a batch, and requests that arrive together, share one read
 * for each team.
 */
export class RecipientValues {
  /** By team: those of this turn of the event loop. */
  private readonly gatherings = new Map<string, Gathering>();

  constructor(private readonly contacts: ContactValues) {}

  /** @param names of the tags that are used, as merges compare names */
  async of(teamId: string, address: string, names: ReadonlySet<string>): Promise<MergeValues> {
    const { addresses, fields } = this.gatheringOf(teamId);
    addresses.add(address);
    return contactMergeValues((await fields).get(address) as MergeFields, names);
  }

  private gatheringOf(teamId: string): Gathering {
    const known = this.gatherings.get(teamId);
    if (known !== undefined && known.addresses.size < maxMergeContacts) return known;
    const addresses = new Set<string>();
    const turn = new Promise((resolve) => setImmediate(resolve));
    const gathering = {
      addresses,
      fields: turn.then(() => {
        if (this.gatherings.get(teamId) === gathering) this.gatherings.delete(teamId);
        return this.contacts.fieldsOf(teamId, [...addresses]);
      }),
    };
    this.gatherings.set(teamId, gathering);
    return gathering;
  }
}
