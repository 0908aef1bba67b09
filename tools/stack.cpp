// What nests deeper than the stack holds is an error as others are. MLIR's parser, printer and verifier call themselves
// for what lies in a region, a type or an attribute, and count no depth; where the stack ends a signal does.
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <pthread.h>
#include <unistd.h>

// The frames of one function are never larger, nor what the kernel counts otherwise than pthreads do.
static constexpr uintptr_t near = 1 << 20;
// Passes run on threads of their own, and must get as deep as the parser has got.
static constexpr size_t stackOfThreads = 64 << 20;

static uintptr_t lowest;
static char message[200];
static int messageSize;
static struct sigaction ofLlvm;

static void onFault(int, siginfo_t *info, void *) {
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  bool isFault = info->si_code > 0; // or somebody sent the signal
  if (isFault && address > lowest - near && address < lowest + near) {
    (void)!write(STDERR_FILENO, message, messageSize);
    llvm::sys::RunInterruptHandlers(); // half an output file goes
    _exit(1);
  }
  // Any other fault comes again, and LLVM says where.
  sigaction(SIGSEGV, &ofLlvm, nullptr);
  if (!isFault)
    raise(SIGSEGV);
}

void reportStackOverflow() {
  pthread_attr_t attributes;
  void *stack = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes))
    return;
  pthread_attr_getstack(&attributes, &stack, &size);
  pthread_attr_destroy(&attributes);
  lowest = reinterpret_cast<uintptr_t>(stack);
  messageSize = snprintf(message, sizeof message,
                         "error: the input nests deeper than the stack of %zu MiB holds; nest its regions, types and "
                         "attributes less, or raise the limit by ulimit -s\n",
                         (size + (1 << 19)) >> 20);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackOfThreads);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);

  // LLVM's handlers, and the stack that they run on, come with the first thing that they do; its mains add more.
  llvm::EnablePrettyStackTrace();
  struct sigaction ours = {};
  ours.sa_sigaction = onFault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &ours, &ofLlvm);
}
