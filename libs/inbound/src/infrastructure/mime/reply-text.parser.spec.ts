import { expect, it } from '@jest/globals';
import { parse } from './reply-text.parser.js';

const replyIn = (text: string): Promise<string | null> => parse(Buffer.from(text));

it.each([
  '2026年12月8日(火) 14:30 山田 <a@b.test>:',
  '2026年12月8日(火) 14:30 山田太郎\n<a@b.test>:',
  '2026/12/08 14:30、山田 <a@b.test>のメール:',
  '2026年12月8日 14時30分 山田:',
  '山田 <a@b.test> 于2026年12月8日周二 14:30写道：',
  '山田 <a@b.test> 於 2026年12月8日 週二 下午2:30寫道：',
  '在 2026年12月8日，14:30，山田 <a@b.test> 写道：',
  '2026년 12월 8일 (화) 오후 2:30, 홍길동 <a@b.test>님이 작성:',
  'вт, 8 дек. 2026 г. в 14:30, Анна <a@b.test>:',
  'вт, 8 груд. 2026 р. о 14:30 Анна <a@b.test> пише:',
  'út 8. 12. 2026 v 14:30 odesílatel Jan <a@b.test> napsal:',
  'Jan <a@b.test> ezt írta (időpont: 2026. dec. 8., K, 14:30):',
  'Ada <a@b.test>, 8 Ara 2026 Sal, 14:30 tarihinde şunu yazdı:',
  'În mar., 8 dec. 2026 la 14:30, Ion <a@b.test> a scris:',
  'ti 8. jouluk. 2026 klo 14.30 Aino (a@b.test) kirjoitti:',
  'Vào Th 3, 8 thg 12, 2026 vào lúc 14:30 Ada <a@b.test> đã viết:',
  'Am Di., 8. Dez. 2026 um 14:30 Uhr schrieb Ada <a@b.test>:',
  'Le mar. 8 déc. 2026 à 14:30, Ada <a@b.test> a écrit :',
  'El mar, 8 dic 2026 a las 14:30, Ada (<a@b.test>) escribió:',
  'Den tis 8 dec. 2026 kl 14:30 skrev Ada <a@b.test>:',
  'On Tue, Dec 8, 2026 at 2:30 PM Ada <a@b.test> wrote:',
])('leaves out a quotation under %j', async (line) => {
  expect(await replyIn(`承知しました。\n\n${line}\n\n> Hello\n> World\n`)).toBe('承知しました。');
  expect(await replyIn(`承知しました。\n\n${line}\n> Hello\n`)).toBe('承知しました。');
});

it.each(['差出人: 山田 <a@b.test>', '发件人: 山田 <a@b.test>', '보낸 사람: 홍길동 <a@b.test>', 'От: Анна <a@b.test>'])(
  'leaves out a message under %j',
  async (line) => {
    expect(await replyIn(`OK\n\n${line}\n2026/12/08 14:30\n\nHello\n`)).toBe('OK');
  },
);

it.each([
  'From: Bob Miller\nSent: Tuesday, December 8, 2026 2:30 PM\nTo: Ada\nSubject: Offer',
  '*From: *Bob <b@x.test>\n*Date: *Tuesday, 8 December 2026 at 14:30\n*To: *Ada\n*Subject: *Offer',
  'Von: Bob Miller\nGesendet: Dienstag, 8. Dezember 2026 14:30\nAn: Ada\nCc: Eve\nBetreff: Angebot',
  'Gesendet: Dienstag, 08. Dezember 2026 um 14:30 Uhr\nVon: "Bob" <b@x.test>\nAn: a@y.test\nBetreff: Angebot',
  '-----Mensaje original-----\nDe: Bob\nEnviado el: martes, 8 de diciembre de 2026 14:30\nPara: Ada\nAsunto: Oferta',
  '-----Messaggio originale-----\nDa: Bob <b@x.test>\nInviato: martedì 8 dicembre 2026\nA: Ada\nOggetto: Offerta',
  '-----元のメッセージ-----\n差出人: Bob <b@x.test>\n送信日時: 2026年12月8日 14:30\n宛先: Ada\n件名: 見積',
  '------------------ 原始邮件 ------------------\n发件人: "Bob" <b@x.test>;\n发送时间: 2026年12月8日\n主题: 报价',
  '---Original---\nFrom: "Bob"<b@x.test>\nDate: Tue, Dec 8, 2026 14:30 PM\nTo: "a"<a@y.test>;\nSubject: Offer',
  '-----Исходное сообщение-----\n\nОт: Bob\nОтправлено: 8 декабря 2026 г. 14:30\nКому: Ada\nТема: Счет',
])('leaves out a message under the fields %j', async (fields) => {
  expect(await replyIn(`Danke, passt.\n\n${fields}\n\nHello Ada,\n\nwhat do you think?\n`)).toBe('Danke, passt.');
});

it.each(['From: Berlin\nTo: Paris\nDate: Dec 8, 2026', 'Datum: 8.12.2026\nBetreff: Treffen'])(
  'keeps %j, which has no three fields of a message',
  async (text) => expect(await replyIn(`Hi\n\n${text}\n\nBye\n`)).toBe(`Hi\n\n${text}\n\nBye`),
);

it('keeps what only looks like such a line, and the lines of an answer between quotations', async () => {
  const line = '会議は2026年12月8日 14:30です:';
  expect(await replyIn(`OK\n\n${line}\n\nSee you\n`)).toBe(`OK\n\n${line}\n\nSee you`);
  const answered = (above: string): string => `Hi\n\n${above}\n> When?\n\nTomorrow.\n\n> Where?\n\nHere.\n`;
  const [ours, english] = ['2026年12月8日(火) 14:30 山田 <a@b.test>:', 'On Tue, Dec 8, 2026 Ada <a@b.test> wrote:'];
  expect(await replyIn(answered(ours))).toBe((await replyIn(answered(english)))?.replace(english, ours));
});

it('keeps what a person writes below a rule, and leaves out a signature below one', async () => {
  for (const rule of ['---', '____', '===', '+++']) {
    const text = `Hello\n\nFirst part\n\n${rule}\n\nSecond part\n\nBye`;
    expect(await replyIn(text)).toBe(text);
    expect(await replyIn(`${text}\n\nOn Tue, Dec 8, 2026 at 2:30 PM Ada <a@b.test> wrote:\n> ${rule}\n> x\n`)).toBe(
      text,
    );
    expect(await replyIn(`Costs\n${rule}\nThe licence costs 10 euros a month.`)).toContain('10 euros');
    expect(await replyIn(`Hello\n${rule}\nAnn Smith\nAcme Ltd\n+44 20 7946 0000`)).toBe('Hello');
    const quoted = 'On Tue, Dec 8, 2026 at 2:30 PM Ada <a@b.test> wrote:\n> A sentence.\n';
    expect(await replyIn(`Hello\n${rule}\nAnn Smith\n\n${quoted}`)).toBe('Hello');
    expect(await replyIn(`Hello\n\n${rule}\n\n`)).toBe('Hello');
  }
  expect(await replyIn('Hello\n-- \n\nAnn Smith. She writes.\n\nAcme')).toBe('Hello');
});

it.each([
  'Von meinem iPhone gesendet',
  'Von meinem Samsung Galaxy Smartphone gesendet.',
  'Gesendet von Outlook für iOS<https://aka.ms/x>',
  'Gesendet mit der GMX Mail App',
  'Diese Nachricht wurde von meinem Android-Gerät mit GMX Mail gesendet.',
  'iPhoneから送信',
  '私のiPhoneから送信',
  'Outlook for iOS を入手',
])('leaves out %j, which a phone writes', async (line) => {
  expect(await replyIn(`OK\n\n${line}\n`)).toBe('OK');
  expect(await replyIn(`OK\n\n${line}\n\nAm 08.12.2026 um 14:30 schrieb Ada <a@b.test>:\n\n> x\n`)).toBe('OK');
});

it.each([
  'Von Berlin aus gesendet wird heute.',
  'Gesendet von mir an dich',
  'gesendet von meiner Kollegin in Wien, nicht von mir.',
  '東京から送信しました。',
  'お問い合わせフォームから送信されました',
])('keeps %j, which a person writes', async (line) =>
  expect(await replyIn(`OK\n\n${line}\n\nBye`)).toBe(`OK\n\n${line}\n\nBye`),
);
