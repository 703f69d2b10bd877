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
      '**What does not:** writing, summing up or general knowledge. That needs a language model: choose one above the message field, or have an owner or admin connect one under Organisation settings.',
    ].join('\n\n'),
    nothingAnswers: 'Nothing in your documents answers this.',
    otherWords: 'Try the words that the document itself would use.',
    honest: "*The built-in assistant quotes your documents. It doesn't write answers of its own.*",
    onlyQuotes: '*The built-in assistant quotes documents. Only a language model can write an answer.*',
  },
  de: {
    found: 'Das sagen Ihre Dokumente:',
    noDocuments: [
      'Es gibt noch nichts, woraus geantwortet werden kann.',
      '**Was jetzt geht:** unter Datenanbindungen PDF-, Office-, Markdown-, Text- oder HTML-Dateien hochladen und noch einmal fragen. Die besten Stellen werden mit ihren Quellen zitiert.',
      '**Was nicht geht:** schreiben, zusammenfassen, allgemeines Wissen. Das braucht ein Sprachmodell: Wählen Sie eines über dem Eingabefeld, oder bitten Sie einen Inhaber oder Admin, eines in den Einstellungen der Organisation zu verbinden.',
    ].join('\n\n'),
    nothingAnswers: 'Nichts in Ihren Dokumenten beantwortet das.',
    otherWords: 'Versuchen Sie es mit den Wörtern, die im Dokument selbst stehen würden.',
    honest: '*Der eingebaute Assistent zitiert Ihre Dokumente. Eigene Antworten schreibt er nicht.*',
    onlyQuotes: '*Der eingebaute Assistent zitiert Dokumente. Eine Antwort schreiben kann nur ein Sprachmodell.*',
  },
  ar: {
    found: 'هذا ما تقوله مستنداتكم:',
    noDocuments: [
      'لا يوجد بعد ما يمكن الإجابة منه.',
      '**ما يعمل الآن:** ارفعوا ملفات PDF أو Office أو Markdown أو نص أو HTML في «اتصالات البيانات» ثم اسألوا من جديد. تُقتبس أفضل المقاطع مع مصادرها.',
      '**ما لا يعمل:** الكتابة والتلخيص والمعرفة العامة. يحتاج ذلك إلى نموذج لغوي: اختاروا واحدًا فوق حقل الرسالة، أو اطلبوا من مالك أو مشرف ربط نموذج في إعدادات المؤسسة.',
    ].join('\n\n'),
    nothingAnswers: 'لا يوجد في مستنداتكم ما يجيب عن هذا.',
    otherWords: 'جرّبوا الكلمات التي يستخدمها المستند نفسه.',
    honest: '*يقتبس المساعد المدمج من مستنداتكم، ولا يكتب إجابات بنفسه.*',
    onlyQuotes: '*يقتبس المساعد المدمج من المستندات. كتابة الإجابة يستطيعها نموذج لغوي فقط.*',
  },
};

export const builtInTexts = (locale: string): Texts => texts[locale] ?? (texts['en'] as Texts);
