/** The texts of the preference page in one language. `{team}`, `{address}` and `{topic}` are replaced. */
export interface PageTexts {
  readonly title: string;
  readonly intro: string;
  readonly about: string;
  readonly leaveTopic: string;
  readonly topics: string;
  readonly save: string;
  readonly all: string;
  readonly allHint: string;
  readonly leaveAll: string;
  readonly resubscribe: string;
  readonly saved: string;
  readonly leftTopic: string;
  readonly leftAll: string;
  readonly back: string;
  readonly invalidTitle: string;
  readonly invalidText: string;
}

type Row = readonly [
  title: string,
  intro: string,
  about: string,
  leaveTopic: string,
  topics: string,
  save: string,
  all: string,
  allHint: string,
  leaveAll: string,
  resubscribe: string,
  saved: string,
  leftTopic: string,
  leftAll: string,
  back: string,
  invalidTitle: string,
  invalidText: string,
];

const rows: Readonly<Record<string, Row>> = {
  en: [
    'Email preferences',
    'Emails from {team} to {address}',
    'This email was about “{topic}”.',
    'Unsubscribe from “{topic}”',
    'Topics',
    'Save',
    'All emails',
    'You will still get emails you request, such as receipts and sign-in links.',
    'Unsubscribe from all emails',
    'Subscribe again',
    'Your choices have been saved.',
    'You have unsubscribed from “{topic}”.',
    'You have unsubscribed from all emails.',
    'You are subscribed again.',
    'This link does not work',
    'It may be incomplete. Please open it again from the email.',
  ],
  de: [
    'E-Mail-Einstellungen',
    'E-Mails von {team} an {address}',
    'In dieser E-Mail ging es um „{topic}“.',
    '„{topic}“ abbestellen',
    'Themen',
    'Speichern',
    'Alle E-Mails',
    'Was Sie selbst anfordern, etwa Belege und Links zum Anmelden, erhalten Sie weiterhin.',
    'Alle abbestellen',
    'Wieder abonnieren',
    'Ihre Auswahl ist gespeichert.',
    'Sie haben „{topic}“ abbestellt.',
    'Sie haben alle E-Mails abbestellt.',
    'Sie sind wieder angemeldet.',
    'Dieser Link funktioniert nicht',
    'Vielleicht ist er unvollständig. Bitte öffnen Sie ihn noch einmal aus der E-Mail.',
  ],
  fr: [
    'Préférences d’e-mail',
    'Ce que {team} envoie à {address}',
    'Cet e-mail portait sur « {topic} ».',
    'Se désabonner de « {topic} »',
    'Thèmes',
    'Enregistrer',
    'Tous les e-mails',
    'Vous recevrez toujours ce que vous demandez, comme les reçus et les liens de connexion.',
    'Se désabonner de tout',
    'Se réabonner',
    'Votre choix est enregistré.',
    'Vous êtes désabonné de « {topic} ».',
    'Vous êtes désabonné de tous les e-mails.',
    'Vous êtes de nouveau abonné.',
    'Ce lien ne fonctionne pas',
    'Il est peut-être incomplet. Veuillez l’ouvrir à nouveau depuis l’e-mail.',
  ],
  es: [
    'Preferencias de correo',
    'Lo que {team} envía a {address}',
    'Este correo trataba de «{topic}».',
    'Cancelar la suscripción a «{topic}»',
    'Temas',
    'Guardar',
    'Todos los correos',
    'Seguirá recibiendo lo que solicite, como recibos y enlaces de acceso.',
    'Cancelar todas las suscripciones',
    'Volver a suscribirse',
    'Su elección se ha guardado.',
    'Ha cancelado la suscripción a «{topic}».',
    'Ha cancelado la suscripción a todos los correos.',
    'Vuelve a estar suscrito.',
    'Este enlace no funciona',
    'Puede que esté incompleto. Ábralo de nuevo desde el correo.',
  ],
  it: [
    'Preferenze e-mail',
    'Che cosa {team} invia a {address}',
    'Questa e-mail riguardava «{topic}».',
    'Annulla l’iscrizione a «{topic}»',
    'Argomenti',
    'Salva',
    'Tutte le e-mail',
    'Riceverai comunque ciò che richiedi, come ricevute e link di accesso.',
    'Annulla tutte le iscrizioni',
    'Iscriviti di nuovo',
    'La tua scelta è stata salvata.',
    'Hai annullato l’iscrizione a «{topic}».',
    'Hai annullato l’iscrizione a tutte le e-mail.',
    'Sei di nuovo iscritto.',
    'Questo link non funziona',
    'Forse è incompleto. Aprilo di nuovo dall’e-mail.',
  ],
  pt: [
    'Preferências de e-mail',
    'O que {team} envia para {address}',
    'Este e-mail era sobre «{topic}».',
    'Cancelar a subscrição de «{topic}»',
    'Temas',
    'Guardar',
    'Todos os e-mails',
    'Continua a receber o que pede, como recibos e links de acesso.',
    'Cancelar todas as subscrições',
    'Subscrever novamente',
    'A sua escolha foi guardada.',
    'Cancelou a subscrição de «{topic}».',
    'Cancelou a subscrição de todos os e-mails.',
    'Está novamente subscrito.',
    'Este link não funciona',
    'Pode estar incompleto. Abra-o novamente a partir do e-mail.',
  ],
  nl: [
    'E-mailvoorkeuren',
    'Wat {team} naar {address} stuurt',
    'Deze e-mail ging over ‘{topic}’.',
    'Afmelden voor ‘{topic}’',
    'Onderwerpen',
    'Opslaan',
    'Alle e-mails',
    'Wat u zelf aanvraagt, zoals bonnen en inloglinks, blijft u ontvangen.',
    'Voor alles afmelden',
    'Opnieuw aanmelden',
    'Uw keuze is opgeslagen.',
    'U bent afgemeld voor ‘{topic}’.',
    'U bent afgemeld voor alle e-mails.',
    'U bent weer aangemeld.',
    'Deze link werkt niet',
    'Misschien is hij onvolledig. Open hem nog een keer vanuit de e-mail.',
  ],
  pl: [
    'Ustawienia e-maili',
    'Co {team} wysyła na adres {address}',
    'Ten e-mail dotyczył tematu „{topic}”.',
    'Zrezygnuj z „{topic}”',
    'Tematy',
    'Zapisz',
    'Wszystkie e-maile',
    'Nadal będziesz otrzymywać to, o co prosisz, na przykład rachunki i linki do logowania.',
    'Zrezygnuj ze wszystkich',
    'Subskrybuj ponownie',
    'Twój wybór został zapisany.',
    'Zrezygnowano z „{topic}”.',
    'Zrezygnowano ze wszystkich e-maili.',
    'Subskrypcja jest znów aktywna.',
    'Ten link nie działa',
    'Być może jest niekompletny. Otwórz go ponownie z e-maila.',
  ],
  ja: [
    'メール配信設定',
    '{team} から {address} へのメール',
    'このメールは「{topic}」に関するものです。',
    '「{topic}」の配信を停止',
    'トピック',
    '保存',
    'すべてのメール',
    '領収書やログイン用リンクなど、ご自身で依頼されたメールは引き続き届きます。',
    'すべての配信を停止',
    'もう一度購読する',
    '設定を保存しました。',
    '「{topic}」の配信を停止しました。',
    'すべてのメールの配信を停止しました。',
    'もう一度購読しました。',
    'このリンクは無効です',
    'リンクが途中で切れている可能性があります。メールからもう一度開いてください。',
  ],
  zh: [
    '邮件偏好设置',
    '{team} 发送给 {address} 的邮件',
    '这封邮件属于“{topic}”。',
    '退订“{topic}”',
    '主题',
    '保存',
    '所有邮件',
    '您主动请求的邮件（例如收据和登录链接）仍会发送给您。',
    '退订所有邮件',
    '重新订阅',
    '您的选择已保存。',
    '您已退订“{topic}”。',
    '您已退订所有邮件。',
    '您已重新订阅。',
    '此链接无效',
    '链接可能不完整，请从邮件中重新打开。',
  ],
};

export const languages: readonly string[] = Object.keys(rows);

export function textsOf(language: string): PageTexts {
  const [title, intro, about, leaveTopic, topics, save, all, allHint, leaveAll, resubscribe, ...results] = rows[
    language
  ] as Row;
  const [saved, leftTopic, leftAll, back, invalidTitle, invalidText] = results;
  const choices = { title, intro, about, leaveTopic, topics, save, all, allHint, leaveAll, resubscribe };
  return { ...choices, saved, leftTopic, leftAll, back, invalidTitle, invalidText };
}

const maxHeaderLength = 500;
const fallback = 'en';

/**
 * The language of the page for an Accept-Language header (RFC 9110 section 12.5.4): the known one with the highest
 * weight.
 */
export function pageLanguage(header: string | undefined): string {
  let best = { language: fallback, weight: 0 };
  for (const range of (header ?? '').slice(0, maxHeaderLength).split(',')) {
    const [tag = '', ...parameters] = range.split(';');
    const language = tag.trim().toLowerCase().split('-', 1)[0] as string;
    if (!languages.includes(language)) continue;
    const weight = weightOf(parameters);
    if (weight > best.weight) best = { language, weight };
  }
  return best.language;
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='));
  if (quality === undefined) return 1;
  const weight = Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}
