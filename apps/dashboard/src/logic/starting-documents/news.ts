import {
  bold,
  button,
  cell,
  column,
  columns,
  footer,
  header,
  heading,
  image,
  kicker,
  lineBreak,
  link,
  list,
  logo,
  paragraph,
  rule,
  section,
  small,
  social,
  table,
  text,
  value,
} from './blocks.js';
import type { StartingDocument } from './starting-document.js';

const unsubscribe = 'Unsubscribe';
const firstName = value('contact.first_name', 'there');

/** A picture at the left, and what it is about beside it. */
const story = (src: string, alt: string, title: string, words: string, href: string) =>
  columns(
    { gap: 24, verticalAlign: 'middle', space: 28 },
    column({ width: '40%' }, image(src, alt, { href, radius: 8, space: 0 })),
    column(
      { width: '60%' },
      heading(3, { space: 6 }, title),
      paragraph({ size: 15, space: 8 }, words),
      paragraph({ size: 15, space: 0 }, link('Read on', href)),
    ),
  );

const newsletter: StartingDocument = {
  id: 'newsletter',
  subject: 'The long way round, and three other stories',
  preview: 'A walk along the old coast road, and what we learned on it.',
  isBulk: true,
  blocks: ({ picture, tint }) => [
    columns(
      { stack: false, verticalAlign: 'middle' },
      column({ width: '60%' }, logo({ space: 0 })),
      column({ width: '40%' }, paragraph({ alignment: 'right', size: 13, space: 0 }, 'Letter no. 12')),
    ),
    image(picture('hills'), 'A path through hills towards a low sun', { fullWidth: true }),
    kicker('This month'),
    heading(1, {}, 'The long way round is worth it'),
    text(
      'Hi ',
      firstName,
      ', we took the old coast road instead of the motorway. It cost us two hours and gave us this letter: four ' +
        'people we met, one bakery, and a good reason to leave early.',
    ),
    button('Read the story', 'https://example.com/coast-road', { space: 36 }),
    rule({ space: 32 }),
    heading(2, { space: 20 }, 'Also in this letter'),
    story(
      picture('waves'),
      'Waves under a warm sun',
      'Swimming before breakfast',
      'Why the coldest month is the best one to begin, and how to warm up afterwards.',
      'https://example.com/swimming',
    ),
    story(
      picture('city'),
      'Houses of a town close together',
      'A town without a ring road',
      'It planned for people on foot. Ten years later its shops are full again.',
      'https://example.com/town',
    ),
    story(
      picture('leaves'),
      'Large leaves at night',
      'What grows in the shade',
      'Six plants that forgive a dark corner, picked by the gardener next door.',
      'https://example.com/shade',
    ),
    section(
      { ...tint, paddingTop: 32, paddingBottom: 32 },
      paragraph(
        { alignment: 'center', size: 20, lineHeight: 1.5, space: 12 },
        '“Go slowly. The view does not run away.”',
      ),
      paragraph({ alignment: 'center', size: 14, space: 0 }, 'Marta, who has kept the lighthouse since 1994'),
    ),
    paragraph(
      { alignment: 'center', size: 15, space: 16 },
      'Do you know someone who would like this? ',
      link('Forward the letter', 'https://example.com/forward'),
      '.',
    ),
    social('instagram', 'youtube', 'mastodon', 'rss'),
    footer('You get this letter once a month because you signed up on our website.', unsubscribe),
  ],
};

const launch: StartingDocument = {
  id: 'launch',
  subject: 'It is here: one place for all your numbers',
  preview: 'See what changed, try it in a minute, and tell us what you think.',
  isBulk: true,
  blocks: ({ picture, tint }) => [
    logo({ alignment: 'center' }),
    image(picture('launch'), 'The new dashboard with a chart and two cards', { fullWidth: true }),
    kicker('New today', { alignment: 'center' }),
    heading(1, { alignment: 'center' }, 'One place for all your numbers'),
    paragraph(
      { alignment: 'center', size: 17, space: 28 },
      'Hi ',
      firstName,
      ', the new dashboard answers in seconds what used to take a spreadsheet and an afternoon.',
    ),
    button('See it in action', 'https://example.com/launch', { alignment: 'center', size: 'large', space: 12 }),
    paragraph({ alignment: 'center', size: 14, space: 36 }, 'Included in your plan. Nothing to install.'),
    rule({ space: 32 }),
    columns(
      { gap: 28, space: 8 },
      column(
        {},
        heading(4, { space: 4 }, 'Ask in words'),
        small('Type a question and get a chart that you can share.'),
      ),
      column(
        {},
        heading(4, { space: 4 }, 'Always current'),
        small('Numbers change while you watch, without a reload.'),
      ),
      column(
        {},
        heading(4, { space: 4 }, 'Made for teams'),
        small('Pin a chart, leave a note, and see who has read it.'),
      ),
    ),
    section(
      { ...tint, paddingTop: 36, paddingBottom: 36 },
      columns(
        { gap: 24, verticalAlign: 'middle', space: 0 },
        column({ width: '24%' }, image(picture('person2'), 'Portrait of Ines Duarte', { width: 96, space: 0 })),
        column(
          { width: '76%' },
          paragraph(
            { size: 17, space: 8 },
            '“We closed the month on the second day. I had to check twice that it was really done.”',
          ),
          paragraph({ size: 14, space: 0 }, bold('Ines Duarte'), ', Head of Finance at Harbour & Co'),
        ),
      ),
    ),
    heading(2, { alignment: 'center' }, 'Ready when you are'),
    paragraph({ alignment: 'center' }, 'Your data is already there. Open it, and the tour takes one minute.'),
    button('Open the dashboard', 'https://example.com/dashboard', { alignment: 'center' }),
    footer('You get this because you use our product and asked for news about it.', unsubscribe),
  ],
};

const figure = (number: string, label: string, change: string) =>
  column(
    {},
    paragraph({ alignment: 'center', size: 30, lineHeight: 1.2, space: 2 }, bold(number)),
    paragraph({ alignment: 'center', size: 13, space: 2 }, label),
    paragraph({ alignment: 'center', size: 13, space: 0 }, bold(change)),
  );

const digest: StartingDocument = {
  id: 'digest',
  subject: 'Your week: 1,284 visits and a new favorite',
  preview: 'What moved, what stood still, and what to look at on Monday.',
  isBulk: true,
  blocks: ({ picture, tint }) => [
    columns(
      { stack: false, verticalAlign: 'middle', space: 28 },
      column({ width: '50%' }, logo({ space: 0 })),
      column({ width: '50%' }, paragraph({ alignment: 'right', size: 13, space: 0 }, 'Weekly digest')),
    ),
    heading(1, { space: 8 }, 'Your week in three minutes'),
    text('Good morning ', firstName, '. A strong week: more people came, and they stayed longer.'),
    image(picture('desk'), 'A report with charts beside a cup of coffee', { fullWidth: true }),
    section(
      { ...tint, paddingTop: 28, paddingBottom: 28 },
      columns(
        { stack: false, gap: 12, space: 0 },
        figure('1,284', 'Visits', '+12%'),
        figure('342', 'Sign-ups', '+8%'),
        figure('4.8', 'Rating', '+0.1'),
      ),
    ),
    heading(2, {}, 'Most read'),
    table(
      { lines: 'rows', size: 15, space: 28 },
      [header({}, 'Page'), header({ alignment: 'right', width: '25%' }, 'Visits')],
      ...(
        [
          ['How to plan a kitchen', '412'],
          ['Ten chairs under 100', '287'],
          ['Our favorite lamp, again', '198'],
        ] as const
      ).map(([name, visits]) => [
        cell({}, text(link(name, 'https://example.com/page'))),
        cell({ alignment: 'right' }, text(visits)),
      ]),
    ),
    heading(2, {}, 'Worth a look on Monday'),
    list(
      'bulletList',
      [bold('Three comments'), ' wait for an answer, the oldest since Thursday.'],
      [bold('The spring page'), ' still shows last year’s prices.'],
      [bold('Phones'), ' bring more than half of the visits for the first time.'],
    ),
    button('Open the full report', 'https://example.com/report'),
    footer('You get this digest every Monday. You can choose another day in your settings.', unsubscribe),
  ],
};

const speaker = (src: string, name: string, about: string) =>
  column(
    {},
    image(src, `Portrait of ${name}`, { width: 96, alignment: 'center', space: 12 }),
    paragraph({ alignment: 'center', size: 15, space: 2 }, bold(name)),
    paragraph({ alignment: 'center', size: 13, space: 0 }, about),
  );

const hour = (time: string, title: string, words: string) => [
  cell({ width: '24%' }, paragraph({ size: 15 }, bold(time))),
  cell({}, paragraph({ size: 15 }, bold(title), lineBreak, words)),
];

const event: StartingDocument = {
  id: 'event',
  subject: 'You are invited: an evening on good tools',
  preview: 'Three talks, one stage, and time to meet. Seats are free and few.',
  isBulk: true,
  blocks: ({ picture, tint, day }) => [
    logo({ alignment: 'center' }),
    image(picture('stage'), 'A speaker on a stage in front of a full hall', { fullWidth: true }),
    kicker(day(30).name, { alignment: 'center' }),
    heading(1, { alignment: 'center' }, 'An evening on good tools'),
    paragraph(
      { alignment: 'center', size: 17, space: 24 },
      'Hi ',
      firstName,
      ', three people who build things tell what they would do again, and what they would not.',
    ),
    button('Save my seat', 'https://example.com/event', { alignment: 'center', size: 'large', space: 28 }),
    {
      type: 'countdown',
      attrs: { alignment: 'center', space: 8, until: day(30).at, expired: `It begins on ${day(30).name}` },
    },
    section(
      { ...tint, paddingTop: 28, paddingBottom: 28 },
      columns(
        { space: 0 },
        column({}, kicker('When', { space: 4 }), text(day(30).name, lineBreak, '7 pm, doors open at 6')),
        column({}, kicker('Where', { space: 4 }), text('The Old Boathouse', lineBreak, '12 Quay Street')),
      ),
    ),
    heading(2, { alignment: 'center', space: 20 }, 'On stage'),
    columns(
      { stack: false, gap: 12, space: 32 },
      speaker(picture('person1'), 'Tomás Rey', 'Builds boats'),
      speaker(picture('person2'), 'Ines Duarte', 'Writes software'),
      speaker(picture('person3'), 'Noor Haddad', 'Repairs clocks'),
    ),
    heading(2, {}, 'The evening'),
    table(
      { lines: 'rows', space: 24 },
      hour('6:00 pm', 'Doors open', 'Soup, bread and something to drink'),
      hour('7:00 pm', 'Three talks', 'Twenty minutes each, with questions'),
      hour('8:30 pm', 'Open end', 'The speakers stay, and so should you'),
    ),
    text('You cannot come? ', link('Watch the recording', 'https://example.com/recording'), ' the day after.'),
    footer('You get this because you came to one of our evenings before.', unsubscribe),
  ],
};

const answers = table(
  { lines: 'none', space: 4 },
  ['1', '2', '3', '4', '5'].map((number) =>
    cell(
      { alignment: 'center', width: number === '5' ? '18%' : '20.5%' },
      button(number, `https://example.com/survey?answer=${number}`, {
        alignment: 'center',
        size: 'small',
        fullWidth: true,
        outline: true,
        space: 0,
      }),
    ),
  ),
);

const survey: StartingDocument = {
  id: 'survey',
  subject: 'Two minutes that change what we do next',
  preview: 'One question now, four more if you like.',
  isBulk: true,
  blocks: ({ picture }) => [
    logo(),
    image(picture('bubbles'), 'Speech bubbles with stars and a smile', { fullWidth: true }),
    heading(1, {}, 'How are we doing?'),
    text(
      'Hi ',
      firstName,
      ', you have been with us for a while. Tell us in one click how likely you are to recommend us, from 1 to 5.',
    ),
    answers,
    columns(
      { stack: false, space: 28 },
      column({}, paragraph({ size: 13, space: 0 }, 'Not likely')),
      column({}, paragraph({ alignment: 'right', size: 13, space: 0 }, 'Very likely')),
    ),
    rule(),
    heading(3, {}, 'What happens with your answer'),
    text(
      'Two people read every one of them. Last time you asked for shorter emails and a search that finds things. ' +
        'Both are done.',
    ),
    text('Four more questions wait behind your click. They are optional, and take two minutes.'),
    footer('You get this because you are our customer. We ask twice a year.', unsubscribe),
  ],
};

export const newsDocuments: readonly StartingDocument[] = [newsletter, launch, digest, event, survey];
