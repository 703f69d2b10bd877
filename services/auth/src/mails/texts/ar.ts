import type { MailTexts } from '../mail-content.ts';

export const arabic: MailTexts = {
  'password-reset': ({ minutes }) => ({
    subject: 'تعيين كلمة مرور جديدة في Parley',
    lines: ['طُلبت كلمة مرور جديدة لحسابك. إن كنت أنت من طلبها فاخترها هنا:'],
    button: 'اختيار كلمة مرور جديدة',
    after: [
      `يعمل الرابط مرة واحدة ولمدة ${minutes} دقيقة.`,
      'إن لم تكن أنت فلا حاجة إلى فعل شيء: كلمة مرورك باقية كما هي.',
    ],
  }),
  'password-changed': ({ at }, { time }) => ({
    subject: 'تم تغيير كلمة مرورك في Parley',
    lines: [
      `تم تغيير كلمة مرورك في ${time(at)}، وسُجّل خروجك من كل الأجهزة الأخرى.`,
      'إن لم تكن أنت من غيّرها فاستعد حسابك الآن:',
    ],
    button: 'تعيين كلمة مرور جديدة',
  }),
  'link-shown': ({ by, reason }, { name }) => ({
    subject: 'عُرض رابط يخصك على أحد المشرفين',
    lines: [
      `اطّلع ${name(by)}، وهو ممن يديرون Parley هنا، على رابط أُنشئ لك.`,
      `السبب المذكور: ${name(reason)}`,
      'إن لم يكن أحد سيسلّمك الرابط فاسأل عن ذلك.',
    ],
  }),
  'name-revealed': ({ by, organisation, reason, until }, { name, time }) => ({
    subject: `طلب ${name(by)} معرفة اسمك في ${name(organisation)}`,
    lines: [
      `يُعرض الاستخدام في ${name(organisation)} بأسماء مستعارة. طلب ${name(by)} معرفة اسمك، وسيراه بجانب استخدامك حتى ${time(until)} على الأكثر.`,
      `السبب المذكور: ${name(reason)}`,
      'لا يُعرض ما كتبته في محادثاتك. تجد من طلب اسمك في Parley ضمن الملف الشخصي والأمان، ثم الاستخدام.',
    ],
  }),
  'budget-reached': (reached, { name, time, amount }) => {
    const { whose, organisation, threshold, spent, limit, resetsAt, timeZone } = reached;
    const budget = {
      organisation: 'ميزانية المؤسسة',
      group: `ميزانية المجموعة ${name(reached.name)}`,
      person: `ميزانية ${name(reached.name)}`,
      model: `ميزانية النموذج ${name(reached.name)}`,
      chatbot: `ميزانية روبوت الدردشة ${name(reached.name)}`,
      own: 'ميزانيتك',
    }[whose];
    const unit = limit.currency === null ? ' من الرموز' : '';
    const [used, most] = [`${amount(spent)}${unit}`, `${amount(limit)}${unit}`];
    const isStop = threshold === 'hard';
    const next =
      whose === 'own'
        ? 'يمكنك طلب المزيد في Parley من داخل المحادثة.'
        : 'يمكنك تغيير الميزانية في Parley ضمن الفوترة، ثم الميزانيات.';
    return {
      subject: `${budget} في ${name(organisation)} بلغت ${isStop ? 'حد الإيقاف' : 'حد التنبيه'}`,
      lines: [
        isStop
          ? `بلغت ${budget} في ${name(organisation)} حد الإيقاف عند ${most}: استُخدم ${used}. لا تبدأ أي إجابة لا يكفي لها المتبقي.`
          : `بلغت ${budget} في ${name(organisation)} حد التنبيه عند ${most}: استُخدم ${used}. تستمر الإجابات.`,
        `تبدأ من جديد في ${time(resetsAt, timeZone)}.`,
        next,
      ],
    };
  },
  'address-proof': ({ name: person, days }, { name }) => ({
    subject: 'تأكيد عنوانك في Parley',
    lines: [`${name(person)}، سُجّل هذا العنوان لحسابك. أكّد أنه لك حتى تصلك الدعوات المرسلة إليه:`],
    button: 'تأكيد العنوان',
    after: [`يعمل الرابط مرة واحدة ولمدة ${days} أيام بعد تسجيل دخولك.`, 'إن لم تنشئ حسابًا فلا حاجة إلى فعل شيء.'],
  }),
  invitation: ({ organisation, inviter, endsAt, message }, { name, time, words }) => ({
    subject: `يدعوك ${name(inviter)} إلى ${name(organisation)} في Parley`,
    lines: [
      `يدعوك ${name(inviter)} إلى الانضمام إلى ${name(organisation)} في Parley، حيث تعمل الفرق معًا بالذكاء الاصطناعي.`,
    ],
    quote: message ? { by: `رسالة من ${name(inviter)}:`, lines: words(message) } : undefined,
    button: 'عرض الدعوة',
    after: [`يعمل الرابط حتى ${time(endsAt)}.`, 'إن لم تكن تنتظر دعوة فلا حاجة إلى فعل شيء.'],
  }),
  footer: 'أُرسلت هذه الرسالة من Parley، ولا تُقرأ الردود عليها.',
  orCopy: 'أو انسخ هذا العنوان إلى متصفحك:',
};
