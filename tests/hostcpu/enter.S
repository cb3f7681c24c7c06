/* Enters the tested code with a whole machine state loaded and leaves it with the state saved.
   Everything lives at absolute addresses, so that no register is needed to find it. */

        .text
        .globl  enter, host_esp, leave_0, leave_1, leave_2, leave_3, leave_fault

/* void enter(void): loads `state_in`, jumps to `code_entry`; comes back through a leave_N. */
enter:
        pushal
        movw    %gs, host_gs
        movw    %fs, host_fs
        movl    %esp, host_esp
        movl    test_fs, %eax
        movl    %eax, %fs
        cmpl    $0, use_floating
        je      1f
        fxrstor floating_in
1:      pushl   state_in+32
        popfl
        movl    state_in+0, %eax
        movl    state_in+4, %ecx
        movl    state_in+8, %edx
        movl    state_in+12, %ebx
        movl    state_in+20, %ebp
        movl    state_in+24, %esi
        movl    state_in+28, %edi
        movl    state_in+16, %esp
        jmp     *code_entry

/* Only moves until the flags are saved: they must not be touched. */
leave_0:
        movl    $0, exit_reached
        jmp     save
leave_1:
        movl    $1, exit_reached
        jmp     save
leave_2:
        movl    $2, exit_reached
        jmp     save
leave_3:
        movl    $3, exit_reached
save:
        movl    %eax, state_out+0
        movl    %ecx, state_out+4
        movl    %edx, state_out+8
        movl    %ebx, state_out+12
        movl    %esp, state_out+16
        movl    %ebp, state_out+20
        movl    %esi, state_out+24
        movl    %edi, state_out+28
        movl    host_esp, %esp
        pushfl
        popl    state_out+32
        cmpl    $0, use_floating
        je      restore
        fxsave  floating_out
restore:
        pushl   $0x202
        popfl
        movl    host_gs, %eax
        movl    %eax, %gs
        movl    host_fs, %eax
        movl    %eax, %fs
        cmpl    $0, use_floating
        je      1f
        fninit
        ldmxcsr host_mxcsr
1:      popal
        ret

/* The signal handler resumes here, with the stack pointer already that of the host. */
leave_fault:
        jmp     restore

        .data
        .align  4
host_esp:       .long   0
host_gs:        .long   0
host_fs:        .long   0
host_mxcsr:     .long   0x1f80

        .section .note.GNU-stack,"",@progbits
