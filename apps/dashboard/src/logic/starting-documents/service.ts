import {
  bold,
  boldly,
  button,
  column,
  columns,
  footer,
  heading,
  image,
  item,
  kicker,
  lineBreak,
  link,
  logo,
  pair,
  paragraph,
  repeat,
  rule,
  section,
  small,
  table,
  text,
  value,
} from './blocks.js';
import type { StartingDocument } from './starting-document.js';

const firstName = value('contact.first_name', 'there');
/** A link that the program fills in. */
const address = (name: string, fallback: string): string => `{{{${name}|https://example.com/${fallback}}}}`;

/** Two goods, to see what a list looks like. */
const samples = {
  ITEMS: [
    { name: 'Evening lamp', details: 'Indigo, with a linen shade', quantity: '1', price: '€89.00' },
    { name: 'Wave mug', details: 'Stoneware, 350 ml', quantity: '2', price: '€36.00' },
  ],
};

const goods = (hasPrice: boolean) =>
  repeat(
    'ITEMS',
    columns(
      { stack: false, space: 16 },
      column(
        { width: hasPrice ? '72%' : '80%' },
        paragraph({ space: 0 }, boldly(item('name'))),
        paragraph({ size: 14, space: 0 }, item('details')),
      ),
      column(
        { width: hasPrice ? '28%' : '20%' },
        paragraph({ alignment: 'right', space: 0 }, ...(hasPrice ? [boldly(item('price'))] : ['× ', item('quantity')])),
        ...(hasPrice ? [paragraph({ alignment: 'right', size: 14, space: 0 }, '× ', item('quantity'))] : []),
      ),
    ),
  );

const welcomeStep = (number: string, title: string, words: string) =>
  columns(
    { stack: false, gap: 16, space: 16 },
    column({ width: '12%' }, paragraph({ size: 30, lineHeight: 1.1, space: 0 }, bold(number))),
    column({ width: '88%' }, paragraph({ space: 2 }, bold(title)), paragraph({ size: 15, space: 0 }, words)),
  );

const welcome: StartingDocument = {
  id: 'welcome',
  subject: 'Welcome. Here is how to begin',
  preview: 'Three steps, ten minutes, and a person who answers.',
  isBulk: true,
  blocks: ({ picture, tint }) => [
    logo(),
    image(picture('arches'), 'An open door behind colorful arches', { fullWidth: true }),
    heading(1, {}, 'Come on in'),
    text(
      'Hi ',
      firstName,
      ', good to have you here. Most people are up and running within ten minutes, and this is how they do it.',
    ),
    welcomeStep('1', 'Make it yours', 'Add your name and your logo, so that everyone knows who is writing.'),
    welcomeStep('2', 'Bring your people', 'Import your contacts from a file, or paste a few addresses to try it out.'),
    welcomeStep('3', 'Send the first one', 'Pick a template, change three words, and send it to yourself.'),
    button('Get started', 'https://example.com/start'),
    section(
      { ...tint, paddingTop: 28, paddingBottom: 28 },
      columns(
        { stack: false, gap: 20, verticalAlign: 'middle', space: 0 },
        column({ width: '22%' }, image(picture('person3'), 'Portrait of Noor Haddad', { width: 72, space: 0 })),
        column(
          { width: '78%' },
          paragraph({ space: 4 }, bold('Stuck? Ask Noor.')),
          paragraph({ size: 15, space: 0 }, 'Reply to this email. She has helped 2,000 people before you.'),
        ),
      ),
    ),
    footer('You get this because you created an account with us.', 'Unsubscribe'),
  ],
};

const receipt: StartingDocument = {
  id: 'receipt',
  subject: 'Your receipt for order {{{ORDER_NUMBER|1042}}}',
  preview: 'Thank you. Everything you ordered, and what you paid.',
  isBulk: false,
  samples,
  blocks: ({ tint }) => [
    columns(
      { stack: false, verticalAlign: 'middle', space: 32 },
      column({ width: '50%' }, logo({ space: 0 })),
      column(
        { width: '50%' },
        paragraph({ alignment: 'right', size: 13, space: 0 }, 'Order ', value('ORDER_NUMBER', '1042')),
      ),
    ),
    heading(1, { space: 8 }, 'Thank you for your order'),
    text('Hi ', firstName, ', we have your payment and pack your things now. You hear from us when they leave.'),
    section(
      { ...tint, paddingTop: 24, paddingBottom: 24 },
      columns(
        { space: 0 },
        column({}, kicker('Paid on', { space: 2 }), paragraph({ space: 0 }, value('PAID_ON', 'May 14, 2027'))),
        column(
          {},
          kicker('Paid with', { space: 2 }),
          paragraph({ space: 0 }, value('PAID_WITH', 'Card ending in 4242')),
        ),
      ),
    ),
    heading(3, { space: 16 }, 'What you ordered'),
    goods(true),
    rule({ space: 12 }),
    table(
      { lines: 'none', space: 4 },
      pair('Subtotal', value('SUBTOTAL', '€125.00')),
      pair('Shipping', value('SHIPPING', 'Free')),
      pair('VAT included', value('TAX', '€19.96')),
    ),
    rule({ space: 12 }),
    table({ lines: 'none', space: 28 }, pair(bold('Total'), boldly(value('TOTAL', '€125.00')))),
    columns(
      { space: 28 },
      column(
        {},
        kicker('Ships to', { space: 4 }),
        paragraph({ size: 15, space: 0 }, value('SHIPPING_ADDRESS', '12 Quay Street, Harbour')),
      ),
      column(
        {},
        kicker('Billed to', { space: 4 }),
        paragraph({ size: 15, space: 0 }, value('BILLING_ADDRESS', '12 Quay Street, Harbour')),
      ),
    ),
    button('View your order', address('ORDER_URL', 'order')),
    small('Is something wrong? Reply to this email within 30 days, and we put it right.'),
    footer('This is the receipt for your order. Please keep it.'),
  ],
};

const password: StartingDocument = {
  id: 'password',
  subject: 'Choose a new password',
  preview: 'The link works for one hour, and only once.',
  isBulk: false,
  blocks: ({ tint }) => [
    logo({ space: 32 }),
    heading(1, {}, 'Choose a new password'),
    text(
      'Hi ',
      firstName,
      ', someone asked to reset the password of your account. If it was you, choose a new one now.',
    ),
    button('Choose a new password', address('RESET_URL', 'reset'), { size: 'large' }),
    small('The link works for ', value('EXPIRES_IN', 'one hour'), ', and only once.'),
    section(
      { ...tint, paddingTop: 24, paddingBottom: 24 },
      kicker('Where the request came from'),
      paragraph(
        { size: 15, space: 0 },
        value('DEVICE', 'Firefox on a Mac'),
        lineBreak,
        value('PLACE', 'Lisbon, Portugal'),
        lineBreak,
        value('REQUESTED_AT', 'May 14, 2027, 9:41 am'),
      ),
    ),
    heading(4, { space: 4 }, 'It was not you?'),
    small(
      'Then you need not do anything: your password stays as it is. If this happens again, ',
      link('tell us', 'https://example.com/security'),
      '.',
    ),
    footer('You get this because of a request for your account.'),
  ],
};

const invitation: StartingDocument = {
  id: 'invitation',
  subject: '{{{INVITER|Ines}}} invited you to {{{WORKSPACE|Harbour & Co}}}',
  preview: 'Accept the invitation, and you can begin at once.',
  isBulk: false,
  blocks: ({ picture, tint }) => [
    logo({ alignment: 'center' }),
    image(picture('people'), 'Two people, and a free place beside them', { fullWidth: true }),
    heading(1, { alignment: 'center' }, value('INVITER', 'Ines'), ' saved you a place'),
    paragraph(
      { alignment: 'center', size: 17, space: 24 },
      'You are invited to join ',
      boldly(value('WORKSPACE', 'Harbour & Co')),
      ' and work on the same things, in the same place.',
    ),
    button('Accept the invitation', address('INVITE_URL', 'invitation'), {
      alignment: 'center',
      size: 'large',
      space: 12,
    }),
    paragraph(
      { alignment: 'center', size: 14 },
      'The invitation is valid for ',
      value('EXPIRES_IN', 'seven days'),
      '.',
    ),
    section(
      { ...tint, paddingTop: 28, paddingBottom: 28 },
      kicker('A note from your team', { alignment: 'center' }),
      paragraph(
        { alignment: 'center', space: 0 },
        '“',
        value('MESSAGE', 'Good to have you with us. I put the plans for spring in your folder.'),
        '”',
      ),
    ),
    paragraph(
      { alignment: 'center', size: 14 },
      'You do not know who this is? Then ignore the email, and nothing happens.',
    ),
    footer('You get this once, because someone entered your address to invite you.'),
  ],
};

const shipping: StartingDocument = {
  id: 'shipping',
  subject: 'Your order {{{ORDER_NUMBER|1042}}} is on its way',
  preview: 'Follow your parcel, and see when it arrives.',
  isBulk: false,
  samples,
  blocks: ({ picture, tint, accent }) => {
    const step = (name: string, isDone: boolean) =>
      column(
        {},
        rule({ ...(isDone ? { color: accent } : {}), thickness: 4, width: 100, space: 6 }),
        paragraph({ size: 13, space: 0 }, isDone ? bold(name) : name),
      );
    return [
      logo(),
      image(picture('parcel'), 'A parcel on the way to a house', { fullWidth: true }),
      heading(1, {}, 'It is on its way'),
      text(
        'Hi ',
        firstName,
        ', your parcel left our workshop and arrives ',
        boldly(value('ARRIVES', 'on Thursday')),
        '.',
      ),
      columns(
        { stack: false, gap: 12, space: 28 },
        step('Ordered', true),
        step('Packed', true),
        step('On its way', true),
        step('Delivered', false),
      ),
      button('Follow the parcel', address('TRACKING_URL', 'tracking')),
      section(
        { ...tint, paddingTop: 24, paddingBottom: 24 },
        columns(
          { space: 0 },
          column({}, kicker('Carrier', { space: 2 }), paragraph({ space: 0 }, value('CARRIER', 'Harbour Express'))),
          column(
            {},
            kicker('Number', { space: 2 }),
            paragraph({ space: 0 }, value('TRACKING_NUMBER', 'HX 4210 7731 09')),
          ),
        ),
      ),
      heading(3, { space: 16 }, 'In this parcel'),
      goods(false),
      rule(),
      kicker('Goes to', { space: 4 }),
      paragraph({ size: 15 }, value('SHIPPING_ADDRESS', '12 Quay Street, Harbour')),
      small(
        'Nobody at home on that day? ',
        link('Choose another day or a pick-up point', 'https://example.com/redirect'),
        ' until the evening before.',
      ),
      footer('You get this because you ordered from us.'),
    ];
  },
};

export const serviceDocuments: readonly StartingDocument[] = [welcome, receipt, shipping, password, invitation];
