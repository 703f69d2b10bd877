/**
 * Matches names of models that don't chat: a server's list doesn't say what a model does. The names are those of OpenAI,
 * Google and Mistral, and of open models on Ollama, llama.cpp and vLLM.
 */
const otherUses = [
  // Embeddings and reranking.
  /embed|rerank|minilm|colbert|(^|[-/])(bge|gte|e5)-/,
  // Speech.
  /whisper|parakeet|transcri|speech|audio|realtime|(^|[-_.])(tts|stt|asr|live)([-_.]|$)/,
  // Images and videos.
  /dall-e|imagen|gpt-image|chatgpt-image|[-_]image([-_:]|$)|stable-diffusion|sdxl|(^|[-/])(flux|sora|veo)([-_.\d]|$)/,
  // Matches models for moderation, for reading scans, or only for completing a text.
  /moderation|llama-guard|shieldgemma|(^|[-/])ocr([-_]|$)|davinci-002|babbage-002|turbo-instruct|(^|\/)aqa$/,
];

/** Returns whether a model chats, judged by its name alone. */
export const isChatModel = (model: string): boolean => !otherUses.some((use) => use.test(model.toLowerCase()));
