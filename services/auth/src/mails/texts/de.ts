import type { MailTexts } from '../mail-content.ts';

export const german: MailTexts = {
  'password-reset': ({ minutes }) => ({
    subject: 'Neues Passwort für Parley festlegen',
    lines: ['Für Ihr Konto wurde ein neues Passwort angefordert. Wenn Sie das waren, legen Sie es hier fest:'],
    button: 'Neues Passwort festlegen',
    after: [
      `Der Link gilt einmal und ${minutes} Minuten lang.`,
      'Wenn Sie es nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
    ],
  }),
  'password-changed': ({ at }, { time }) => ({
    subject: 'Ihr Passwort für Parley wurde geändert',
    lines: [
      `Ihr Passwort wurde am ${time(at)} geändert. Überall sonst wurden Sie abgemeldet.`,
      'Wenn Sie es nicht waren, holen Sie sich Ihr Konto jetzt zurück:',
    ],
    button: 'Neues Passwort festlegen',
  }),
  'link-shown': ({ by, reason }, { name }) => ({
    subject: 'Ein Link von Ihnen wurde einer Administratorin oder einem Administrator gezeigt',
    lines: [
      `${name(by)} betreibt dieses Parley und hat einen Link angesehen, der für Sie erstellt wurde.`,
      `Als Grund wurde angegeben: ${name(reason)}`,
      'Wenn Ihnen niemand den Link geben wollte, fragen Sie dort nach.',
    ],
  }),
  'name-revealed': ({ by, organisation, reason, until }, { name, time }) => ({
    subject: `${name(by)} hat Ihren Namen in ${name(organisation)} angefordert`,
    lines: [
      `Die Nutzung in ${name(organisation)} wird unter Pseudonymen gezeigt. ${name(by)} hat Ihren Namen angefordert und sieht ihn neben Ihrer Nutzung, längstens bis ${time(until)}.`,
      `Als Grund wurde angegeben: ${name(reason)}`,
      'Was Sie in Ihren Chats geschrieben haben, wird nicht gezeigt. Wer Ihren Namen angefordert hat, steht in Parley unter Profil und Sicherheit, Verbrauch.',
    ],
  }),
  'budget-reached': (reached, { name, time, amount }) => {
    const { whose, organisation, threshold, spent, limit, resetsAt, timeZone } = reached;
    const budget = {
      organisation: 'Das Budget der Organisation',
      group: `Das Budget der Gruppe ${name(reached.name)}`,
      person: `Das Budget von ${name(reached.name)}`,
      model: `Das Budget des Modells ${name(reached.name)}`,
      chatbot: `Das Budget des Chatbots ${name(reached.name)}`,
      own: 'Ihr Budget',
    }[whose];
    const unit = limit.currency === null ? ' Token' : '';
    const [used, most] = [`${amount(spent)}${unit}`, `${amount(limit)}${unit}`];
    const isStop = threshold === 'hard';
    const next =
      whose === 'own'
        ? 'Sie können in Parley im Chat um mehr bitten.'
        : 'Sie können das Budget in Parley unter Abrechnung, Budgets ändern.';
    return {
      subject: `${budget} in ${name(organisation)} hat ${isStop ? 'den Stopp' : 'die Warnung'} erreicht`,
      lines: [
        isStop
          ? `${budget} in ${name(organisation)} hat den Stopp bei ${most} erreicht: ${used} sind verbraucht. Es beginnt keine Antwort mehr, für die zu wenig übrig ist.`
          : `${budget} in ${name(organisation)} hat die Warnung bei ${most} erreicht: ${used} sind verbraucht. Antworten gehen weiter.`,
        `Es beginnt neu am ${time(resetsAt, timeZone)}.`,
        next,
      ],
    };
  },
  'address-proof': ({ name: person, days }, { name }) => ({
    subject: 'Adresse für Parley bestätigen',
    lines: [
      `${name(person)}, diese Adresse wurde für Ihr Konto angegeben. Bestätigen Sie, dass sie Ihnen gehört, damit Einladungen Sie erreichen:`,
    ],
    button: 'Adresse bestätigen',
    after: [
      `Der Link gilt einmal und ${days} Tage lang, nachdem Sie sich angemeldet haben.`,
      'Wenn Sie kein Konto angelegt haben, müssen Sie nichts tun.',
    ],
  }),
  invitation: ({ organisation, inviter, endsAt, message }, { name, time, words }) => ({
    subject: `${name(inviter)} lädt Sie zu ${name(organisation)} auf Parley ein`,
    lines: [
      `${name(inviter)} lädt Sie ein, ${name(organisation)} auf Parley beizutreten, wo Teams gemeinsam mit KI arbeiten.`,
    ],
    quote: message ? { by: `${name(inviter)} schreibt:`, lines: words(message) } : undefined,
    button: 'Einladung ansehen',
    after: [`Der Link gilt bis ${time(endsAt)}.`, 'Wenn Sie keine Einladung erwartet haben, müssen Sie nichts tun.'],
  }),
  footer: 'Diese E-Mail wurde von Parley gesendet. Antworten werden nicht gelesen.',
  orCopy: 'Oder kopieren Sie diese Adresse in Ihren Browser:',
};
