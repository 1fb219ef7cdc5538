import { leadsToUnsubscribing } from './links.js';
import { Check, sources } from '../check.js';
import { flaw, good, notMeasured } from '../finding.js';
import { fieldOf } from '../message-facts.js';

const notBulk = 'This is not bulk mail.';

const oneClick: Check = {
  id: 'one_click_unsubscribe',
  source: sources.rfc(8058, '3.1', 'Mail senders when creating a message'),
  of: ({ message, isBulk }) => {
    const field = fieldOf(message, 'list-unsubscribe');
    const post = fieldOf(message, 'list-unsubscribe-post');
    const isOneClick =
      /<https:[^<>]{1,2000}>/i.test(field ?? '') && /^\s*List-Unsubscribe=One-Click\s*$/i.test(post ?? '');
    if (isOneClick) return good('List-Unsubscribe and List-Unsubscribe-Post offer one-click unsubscribe.');
    if (!isBulk) return notMeasured(notBulk);
    const evidence =
      field === undefined
        ? 'There is no List-Unsubscribe field.'
        : 'The List-Unsubscribe fields do not offer one-click unsubscribe.';
    return flaw('problem', evidence, 'Send it to a topic, or as a broadcast: the fields are then added.');
  },
};

const unsubscribeLink: Check = {
  id: 'unsubscribe_link',
  source: sources.gmail,
  of: ({ message: { html, text }, isBulk }) => {
    if (!isBulk) return notMeasured(notBulk);
    const links = html?.links ?? [];
    const isOffered = links.some(leadsToUnsubscribing) || /unsubscri|abmelde|配信停止/i.test(text ?? '');
    return isOffered
      ? good('The body contains an unsubscribe link.')
      : flaw('warning', 'The body has no unsubscribe link.', 'Put {{{RESEND_UNSUBSCRIBE_URL}}} into the footer.');
  },
};

const tracking: Check = {
  id: 'tracking',
  source: sources.m3aawg,
  of: ({ isBulk, tracksOpens, tracksClicks }) => {
    if (isBulk) return notMeasured('This is bulk mail, where tracking is usual.');
    const kinds = [...(tracksOpens ? ['opens'] : []), ...(tracksClicks ? ['clicks'] : [])].join(' and ');
    return kinds === ''
      ? good('Nothing is tracked.')
      : flaw(
          'advice',
          `This is a transactional email, and ${kinds} are tracked.`,
          'Turn tracking off for it: rewritten links and hidden images look suspicious to filters and people.',
        );
  },
};

const bimi: Check = {
  id: 'bimi',
  source: sources.bimi,
  of: ({ isBulk, domain: { name, isSandbox, brandLogo } }) => {
    if (!isBulk) return notMeasured(notBulk);
    if (isSandbox || brandLogo === null) return notMeasured('The BIMI record of the domain has not been looked up.');
    const { host, mistake, isDeclined, isDmarcEnforced } = brandLogo;
    if (host === null) {
      return isDmarcEnforced
        ? flaw(
            'advice',
            `There is no BIMI record at default._bimi.${name}, though DMARC is enforced.`,
            'Publish one with the address of your logo: inboxes that support BIMI then show it next to your email.',
          )
        : notMeasured('There is no BIMI record, and DMARC is not enforced, so no inbox would show a logo.');
    }
    if (mistake !== null) {
      const fix = 'Write it like v=BIMI1; l=https://…/logo.svg; a=https://…/certificate.pem';
      return flaw('warning', `The BIMI record at ${host} is ignored: ${mistake}.`, fix);
    }
    if (isDeclined) return good(`The BIMI record at ${host} says that the domain shows no logo.`);
    return isDmarcEnforced
      ? good(`There is a BIMI record at ${host}, and DMARC is enforced.`)
      : flaw(
          'warning',
          `The BIMI record at ${host} is ignored, because DMARC is not enforced.`,
          'Set p=quarantine or p=reject for all mail in the DMARC record, once its reports show that your mail passes.',
        );
  },
};

export const bulkChecks = [oneClick, unsubscribeLink, tracking, bimi];
