import {
  bold,
  button,
  column,
  columns,
  footer,
  heading,
  image,
  lineBreak,
  link,
  logo,
  marked,
  paragraph,
  section,
  small,
  text,
  value,
} from './blocks.js';
import type { StartingDocument } from './starting-document.js';

const unsubscribe = 'Unsubscribe';

const product = (picture: string, alt: string, title: string, price: string) =>
  column(
    {},
    {
      type: 'product',
      attrs: { alignment: 'left', image: picture, alt, title, price, href: 'https://example.com/shop' },
    },
  );

const winBack: StartingDocument = {
  id: 'win-back',
  subject: 'It has been a while',
  preview: 'A lot is new, and the next order is on us in part.',
  isBulk: true,
  blocks: ({ picture, tint, day }) => [
    logo(),
    image(picture('lighthouse'), 'A boat sails home past a lighthouse', { fullWidth: true }),
    heading(1, {}, 'It has been a while, ', value('contact.first_name', 'old friend')),
    text(
      'We kept the light on. Since you were last here we have moved to a bigger workshop, made shipping free, and ' +
        'brought back the chair that everyone asked for.',
    ),
    section(
      { ...tint, paddingTop: 32, paddingBottom: 36 },
      paragraph({ alignment: 'center', size: 44, lineHeight: 1.1, space: 8 }, bold('15% off')),
      paragraph({ alignment: 'center', space: 4 }, 'your next order with the code ', marked('WELCOMEBACK', 'bold')),
      paragraph({ alignment: 'center', size: 14, space: 20 }, `Until ${day(14).name}`),
      button('Come back in', 'https://example.com/shop', { alignment: 'center', space: 0 }),
    ),
    heading(2, { space: 16 }, 'New since you left'),
    columns(
      { stack: false, gap: 16, space: 28 },
      product(picture('chair'), 'An armchair with a cushion', 'Harbour chair', '€349'),
      product(picture('lamp'), 'A table lamp', 'Evening lamp', '€89'),
      product(picture('mug'), 'A mug with a wave on it', 'Wave mug', '€18'),
    ),
    small(
      'Not interested any more? ',
      link('Choose what you hear from us', 'https://example.com/preferences'),
      ', or unsubscribe below.',
    ),
    footer('You get this because you ordered from us before.', unsubscribe),
  ],
};

const letter: StartingDocument = {
  id: 'letter',
  subject: 'A few words about next year',
  preview: 'Prices stay, and something you asked for is coming.',
  isBulk: true,
  blocks: ({ picture, day }) => [
    heading(1, { size: 24, space: 20 }, 'A few words about next year'),
    text('Dear ', value('contact.first_name', 'reader'), ','),
    text(
      'I will keep this short. Our prices stay the same next year, for everyone, without small print. We looked for a ' +
        'reason to raise them and found none that we could have told you with a straight face.',
    ),
    text(
      'The other news is something you asked for. From ',
      bold(day(45).name),
      ' you can pause your subscription yourself, for as long as you like. You will find the switch in your ',
      link('settings', 'https://example.com/settings'),
      '.',
    ),
    text('If you have a question, reply to this email. It reaches me, and I answer within a day or two.'),
    paragraph({ space: 20 }, 'Warm regards,'),
    columns(
      { stack: false, gap: 16, verticalAlign: 'middle' },
      column({ width: '16%' }, image(picture('person1'), 'Portrait of Tomás Rey', { width: 64, space: 0 })),
      column({ width: '84%' }, paragraph({ space: 0 }, bold('Tomás Rey'), lineBreak, 'Founder')),
    ),
    small(marked('P.S. ', 'bold'), 'The first hundred replies get a postcard. I mean it.'),
    footer('You get this because you are our customer.', unsubscribe),
  ],
};

export const personalDocuments: readonly StartingDocument[] = [winBack, letter];
