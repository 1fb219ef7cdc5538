/** An email of a starting automation, before it is a template. */
export interface StartingEmail {
  /** What the steps call it. */
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly preview: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly button?: { readonly label: string; readonly href: string };
  /** Merge values, each with what stands in for it. */
  readonly variables?: Readonly<Record<string, string>>;
}

type EmailsOf = 'welcome' | 'trial' | 'payment' | 'win-back' | 'review' | 'opt-in' | 'onboarding' | 'date';

/** By the id of their automation. */
export const emailsOf: Readonly<Record<EmailsOf, readonly StartingEmail[]>> = {
  welcome: [
    {
      id: 'welcome',
      name: 'Welcome',
      subject: 'Welcome aboard',
      preview: 'Good to have you. Here is what happens next.',
      title: 'Good to have you',
      paragraphs: [
        'Thank you for joining. In the next days we will send you a few short emails that help you get started.',
        'If you have a question, reply to this email. A person reads it.',
      ],
      button: { label: 'Get started', href: 'https://example.com/start' },
    },
    {
      id: 'first',
      name: 'What to try first',
      subject: 'Three things to try first',
      preview: 'They take five minutes together.',
      title: 'Three things to try first',
      paragraphs: [
        '1. Complete your profile, so that others know who you are.',
        '2. Create your first project. You can change everything later.',
        '3. Invite somebody. It is more fun together.',
      ],
      button: { label: 'Try them now', href: 'https://example.com/first-steps' },
    },
    {
      id: 'help',
      name: 'Offer help',
      subject: 'Can we help?',
      preview: 'Tell us what you want to do.',
      title: 'Can we help?',
      paragraphs: [
        'Getting started is not always easy. Reply with what you want to do, and we will show you the shortest way.',
      ],
    },
  ],
  trial: [
    {
      id: 'soon',
      name: 'Trial ends soon',
      subject: 'Your trial ends {{{ENDS_ON}}}',
      preview: 'Choose a plan to keep everything you made.',
      title: 'Your trial ends {{{ENDS_ON}}}',
      paragraphs: ['Choose a plan to keep everything you made. Nothing is deleted until 30 days after the trial.'],
      button: { label: 'Choose a plan', href: 'https://example.com/plans' },
      variables: { ENDS_ON: 'soon' },
    },
    {
      id: 'thanks',
      name: 'Thank you for subscribing',
      subject: 'Thank you for subscribing',
      preview: 'Everything you made is still there.',
      title: 'Thank you',
      paragraphs: ['You are on the {{{PLAN}}} plan now. Everything you made in the trial is still there.'],
      variables: { PLAN: 'new' },
    },
    {
      id: 'last',
      name: 'Last day of the trial',
      subject: 'Last day of your trial',
      preview: 'Your work is kept for 30 more days.',
      title: 'This is the last day of your trial',
      paragraphs: ['If now is not the time, that is fine: your work is kept for 30 more days.'],
      button: { label: 'Choose a plan', href: 'https://example.com/plans' },
    },
  ],
  payment: [
    {
      id: 'failed',
      name: 'Payment failed',
      subject: 'Your payment did not go through',
      preview: 'This happens. Please check your card.',
      title: 'Your payment did not go through',
      paragraphs: [
        'We tried to charge {{{AMOUNT}}}, and your bank refused. This happens, often because a card has expired.',
        'Please check your payment details. We will try again in three days.',
      ],
      button: { label: 'Update payment details', href: '{{{UPDATE_URL}}}' },
      variables: { AMOUNT: 'the amount due', UPDATE_URL: 'https://example.com/billing' },
    },
    {
      id: 'reminder',
      name: 'Payment reminder',
      subject: 'We still cannot charge your card',
      preview: 'Your access continues for four more days.',
      title: 'We still cannot charge your card',
      paragraphs: ['{{{AMOUNT}}} is still open. Your access continues for four more days.'],
      button: { label: 'Update payment details', href: '{{{UPDATE_URL}}}' },
      variables: { AMOUNT: 'The amount due', UPDATE_URL: 'https://example.com/billing' },
    },
    {
      id: 'last',
      name: 'Last payment notice',
      subject: 'Your account will be paused tomorrow',
      preview: 'Update your payment details to keep it.',
      title: 'Your account will be paused tomorrow',
      paragraphs: ['Nothing is deleted. As soon as the payment goes through, everything is back.'],
      button: { label: 'Keep my account', href: '{{{UPDATE_URL}}}' },
      variables: { UPDATE_URL: 'https://example.com/billing' },
    },
  ],
  'win-back': [
    {
      id: 'miss',
      name: 'We miss you',
      subject: 'It has been a while',
      preview: 'Here is what is new since your last visit.',
      title: 'It has been a while',
      paragraphs: ['A lot has changed since your last order. Have a look at what is new.'],
      button: { label: 'See what is new', href: 'https://example.com/new' },
    },
    {
      id: 'offer',
      name: 'A reason to come back',
      subject: '10% off your next order',
      preview: 'Valid for two weeks.',
      title: '10% off your next order',
      paragraphs: ['We would like to see you again. Use the code WELCOMEBACK within two weeks.'],
      button: { label: 'Use it now', href: 'https://example.com/shop' },
    },
  ],
  review: [
    {
      id: 'ask',
      name: 'Review request',
      subject: 'How do you like {{{PRODUCT}}}?',
      preview: 'A few words help others to choose.',
      title: 'How do you like {{{PRODUCT}}}?',
      paragraphs: ['A few words from you help others to choose. It takes a minute.'],
      button: { label: 'Write a review', href: '{{{REVIEW_URL}}}' },
      variables: { PRODUCT: 'your order', REVIEW_URL: 'https://example.com/review' },
    },
    {
      id: 'remind',
      name: 'Review reminder',
      subject: 'One minute for {{{PRODUCT}}}?',
      preview: 'We will not ask again.',
      title: 'One minute for {{{PRODUCT}}}?',
      paragraphs: ['If you have a minute, tell others what you think. We will not ask again.'],
      button: { label: 'Write a review', href: '{{{REVIEW_URL}}}' },
      variables: { PRODUCT: 'your order', REVIEW_URL: 'https://example.com/review' },
    },
  ],
  'opt-in': [
    {
      id: 'confirm',
      name: 'Confirm your address',
      subject: 'Please confirm your address',
      preview: 'One click, and you are on the list.',
      title: 'Please confirm your address',
      paragraphs: [
        'You, or somebody else, entered this address. If it was you, confirm it.',
        'If not, ignore this email. We will delete the address in three days.',
      ],
      button: { label: 'Confirm', href: '{{{CONFIRM_URL}}}' },
      variables: { CONFIRM_URL: 'https://example.com/confirm' },
    },
    {
      id: 'confirmed',
      name: 'Address confirmed',
      subject: 'You are on the list',
      preview: 'Thank you for confirming.',
      title: 'You are on the list',
      paragraphs: ['Thank you for confirming. You can unsubscribe at any time.'],
    },
  ],
  onboarding: [
    {
      id: 'first',
      name: 'First step',
      subject: 'Create your first project',
      preview: 'It takes a minute.',
      title: 'Create your first project',
      paragraphs: ['A project holds everything that belongs together. Start with one, and rename it later.'],
      button: { label: 'Create a project', href: 'https://example.com/projects/new' },
    },
    {
      id: 'invite',
      name: 'Invite your team',
      subject: 'Invite your team to {{{PROJECT}}}',
      preview: 'Work on it together.',
      title: 'Invite your team',
      paragraphs: ['{{{PROJECT}}} is ready. Invite the people you work with: they see changes at once.'],
      button: { label: 'Invite people', href: 'https://example.com/invite' },
      variables: { PROJECT: 'Your project' },
    },
    {
      id: 'how',
      name: 'How to create a project',
      subject: 'Your first project in one minute',
      preview: 'With an example you can copy.',
      title: 'Your first project in one minute',
      paragraphs: ['We prepared an example that you can copy and change.'],
      button: { label: 'Copy the example', href: 'https://example.com/projects/example' },
    },
  ],
  date: [
    {
      id: 'reminder',
      name: 'Renewal reminder',
      subject: 'Your plan renews on {{{RENEWS_AT}}}',
      preview: 'Nothing to do if you want to go on.',
      title: 'Your plan renews on {{{RENEWS_AT}}}',
      paragraphs: ['There is nothing to do if you want to go on. You can change or cancel your plan until then.'],
      button: { label: 'Manage my plan', href: 'https://example.com/plan' },
      variables: { RENEWS_AT: 'its usual date' },
    },
  ],
};

/** The email as HTML: one column of 560 px that reads well in any client, light and dark. */
export function htmlOf({ preview, title, paragraphs, button }: StartingEmail): string {
  const font = "font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif";
  const text = paragraphs.map((each) => `<p style="margin:0 0 16px;font-size:16px;line-height:26px">${each}</p>`);
  const link =
    button === undefined
      ? ''
      : `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px"><tr><td style="border-radius:6px;background:#17171c">
<a href="${button.href}" style="display:inline-block;padding:12px 20px;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${button.label}</a>
</td></tr></table>`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="margin:0;padding:0;background:#f4f4f6;${font};color:#17171c">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f4f6"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:8px"><tr><td style="padding:40px 40px 24px">
<h1 style="margin:0 0 20px;font-size:24px;line-height:32px">${title}</h1>
${text.join('\n')}
${link}
</td></tr></table>
<p style="margin:20px 0 0;font-size:13px;line-height:20px;color:#696975">You get this email because you have an account with us.<br><a href="{{{RESEND_UNSUBSCRIBE_URL}}}" style="color:#696975">Unsubscribe</a></p>
</td></tr></table>
</body>
</html>`;
}
