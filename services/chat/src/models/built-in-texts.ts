/** The built-in assistant's own sentences; the answer itself is quoted. English where a locale is missing. */
type Texts = {
  readonly found: string;
  readonly notFound: (documents: number) => string;
  readonly noDocuments: string;
  /** What a chatbot says that may only say what documents say. */
  readonly nothingAnswers: string;
  readonly honest: string;
};

const texts: Readonly<Record<string, Texts>> = {
  en: {
    found: 'This is what your documents say:',
    notFound: (documents) =>
      `Nothing in your ${documents === 1 ? 'document' : `${documents} documents`} matches these words. Try the words that the document itself would use.`,
    noDocuments: [
      'There is nothing to answer from yet.',
      '**What works now:** upload Markdown, text or HTML files under Data connections and ask again. The best passages are quoted with their sources.',
      '**What does not:** writing, summing up or general knowledge. That needs a language model, which an owner or admin connects under Organisation settings.',
    ].join('\n\n'),
    nothingAnswers: 'Nothing in your documents answers this.',
    honest: '*No language model is set up, so these are quotations, not a written answer.*',
  },
  ar: {
    found: 'هذا ما تقوله مستنداتكم:',
    notFound: () => 'لا يوجد في مستنداتكم ما يطابق هذه الكلمات. جرّبوا الكلمات التي يستخدمها المستند نفسه.',
    noDocuments: [
      'لا يوجد بعد ما يمكن الإجابة منه.',
      '**ما يعمل الآن:** ارفعوا ملفات Markdown أو نص أو HTML في «اتصالات البيانات» ثم اسألوا من جديد. تُقتبس أفضل المقاطع مع مصادرها.',
      '**ما لا يعمل:** الكتابة والتلخيص والمعرفة العامة. يحتاج ذلك إلى نموذج لغوي يربطه مالك أو مشرف في إعدادات المؤسسة.',
    ].join('\n\n'),
    nothingAnswers: 'لا يوجد في مستنداتكم ما يجيب عن هذا.',
    honest: '*لم يُعدّ أي نموذج لغوي، لذلك هذه اقتباسات وليست إجابة مكتوبة.*',
  },
};

export const builtInTexts = (locale: string): Texts => texts[locale] ?? (texts['en'] as Texts);
