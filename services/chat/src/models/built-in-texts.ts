/** The built-in assistant's own sentences; the answer itself is quoted. English where a locale is missing. */
type Texts = {
  readonly found: string;
  readonly noDocuments: string;
  readonly nothingAnswers: string;
  /** What one can do about that where nobody writes an answer. */
  readonly otherWords: string;
  readonly honest: string;
  /** The same where nothing is quoted. */
  readonly onlyQuotes: string;
};

const texts: Readonly<Record<string, Texts>> = {
  en: {
    found: 'This is what your documents say:',
    noDocuments: [
      'There is nothing to answer from yet.',
      '**What works now:** upload PDF, Office, Markdown, text or HTML files under Data connections and ask again. The best passages are quoted with their sources.',
      '**What does not:** writing, summing up or general knowledge. That needs a language model, which an owner or admin connects under Organisation settings.',
    ].join('\n\n'),
    nothingAnswers: 'Nothing in your documents answers this.',
    otherWords: 'Try the words that the document itself would use.',
    honest: '*No language model is set up, so these are quotations, not a written answer.*',
    onlyQuotes: '*No language model is set up: documents can be quoted, but no answer be written.*',
  },
  de: {
    found: 'Das sagen Ihre Dokumente:',
    noDocuments: [
      'Es gibt noch nichts, woraus geantwortet werden kann.',
      '**Was jetzt geht:** unter Datenanbindungen PDF-, Office-, Markdown-, Text- oder HTML-Dateien hochladen und noch einmal fragen. Die besten Stellen werden mit ihren Quellen zitiert.',
      '**Was nicht geht:** schreiben, zusammenfassen, allgemeines Wissen. Das braucht ein Sprachmodell, das jemand mit dem Recht dazu in den Einstellungen der Organisation verbindet.',
    ].join('\n\n'),
    nothingAnswers: 'Nichts in Ihren Dokumenten beantwortet das.',
    otherWords: 'Versuchen Sie es mit den Wörtern, die im Dokument selbst stehen würden.',
    honest: '*Es ist kein Sprachmodell eingerichtet: Das sind Zitate, keine geschriebene Antwort.*',
    onlyQuotes:
      '*Es ist kein Sprachmodell eingerichtet: Dokumente können zitiert, Antworten aber nicht geschrieben werden.*',
  },
  ar: {
    found: 'هذا ما تقوله مستنداتكم:',
    noDocuments: [
      'لا يوجد بعد ما يمكن الإجابة منه.',
      '**ما يعمل الآن:** ارفعوا ملفات PDF أو Office أو Markdown أو نص أو HTML في «اتصالات البيانات» ثم اسألوا من جديد. تُقتبس أفضل المقاطع مع مصادرها.',
      '**ما لا يعمل:** الكتابة والتلخيص والمعرفة العامة. يحتاج ذلك إلى نموذج لغوي يربطه مالك أو مشرف في إعدادات المؤسسة.',
    ].join('\n\n'),
    nothingAnswers: 'لا يوجد في مستنداتكم ما يجيب عن هذا.',
    otherWords: 'جرّبوا الكلمات التي يستخدمها المستند نفسه.',
    honest: '*لم يُعدّ أي نموذج لغوي، لذلك هذه اقتباسات وليست إجابة مكتوبة.*',
    onlyQuotes: '*لم يُعدّ أي نموذج لغوي: يمكن الاقتباس من المستندات، لا كتابة إجابة.*',
  },
};

export const builtInTexts = (locale: string): Texts => texts[locale] ?? (texts['en'] as Texts);
