// The way into a compiled function that goes on from a frame, and out of it (x86-64 psABI).
//
// The field `result` of `charcoal_thread` stands at 16: rax, rdx, rcx, and from 32 on xmm0 to xmm3.
#define RESULT 16

        .text
// void charcoal_resume(frame *, void *at, size_t arguments, unsigned floats)
        .globl  charcoal_resume
        .type   charcoal_resume, @function
        .p2align 4
charcoal_resume:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        pushq   %rcx
        pushq   %rcx
        // Room for what stood there when it was called: it may keep values in it. Vectors stand at multiples of up to 64.
        subq    %rdx, %rsp
        andq    $-64, %rsp
        movq    %rdi, %r10
        callq   *%rsi
        movq    charcoal_thread@GOTTPOFF(%rip), %r11
        movq    %rax, %fs:RESULT(%r11)
        movq    %rdx, %fs:RESULT+8(%r11)
        movq    %rcx, %fs:RESULT+16(%r11)
        movaps  %xmm0, %fs:RESULT+32(%r11)
        movaps  %xmm1, %fs:RESULT+48(%r11)
        movaps  %xmm2, %fs:RESULT+64(%r11)
        movaps  %xmm3, %fs:RESULT+80(%r11)
        // What came on the stack of the x87 unit stands in memory, too.
        movl    -8(%rbp), %ecx
1:      testl   %ecx, %ecx
        jz      2f
        fstp    %st(0)
        decl    %ecx
        jmp     1b
2:      movq    %rbp, %rsp
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        retq
        .cfi_endproc
        .size   charcoal_resume, . - charcoal_resume

// The registers, as a function gives them back.
        .globl  charcoal_take
        .type   charcoal_take, @function
        .p2align 4
charcoal_take:
        .cfi_startproc
        movq    charcoal_thread@GOTTPOFF(%rip), %r11
        movq    %fs:RESULT(%r11), %rax
        movq    %fs:RESULT+8(%r11), %rdx
        movq    %fs:RESULT+16(%r11), %rcx
        movaps  %fs:RESULT+32(%r11), %xmm0
        movaps  %fs:RESULT+48(%r11), %xmm1
        movaps  %fs:RESULT+64(%r11), %xmm2
        movaps  %fs:RESULT+80(%r11), %xmm3
        retq
        .cfi_endproc
        .size   charcoal_take, . - charcoal_take

        .section .note.GNU-stack, "", @progbits
